import type { KeyEnd } from "./authorize.ts";
import { echo } from "./echo.ts";
import type { KeySlot, Problem } from "./errors.ts";
import { parseAllowlistEntry } from "./origin.ts";

/** Works wherever the service runs. Single quotes, because JSON would escape double quotes. */
export const keysCommand = (command: string) => `\`./geolookup keys ${command}\``;

/** How operators issue a key, and change its plan. */
export const ISSUE = `issue a key in the console, or with ${keysCommand("issue …")}`;
export const SET_PLAN = `change the key's plan in the console, or with ${keysCommand("set-plan ID PLAN")}`;

/** How to send a key. */
export const HOW_TO_SEND = "as `?key=…`, `Authorization: Bearer …` or `X-API-Key: …`";

type KeyProblem = Problem & {
  code: "missing_key" | "malformed_key" | "bad_signature" | "unknown_key" | "revoked_key" | "origin_not_allowed";
};

const SLOT_NAME: Readonly<Record<KeySlot, string>> = {
  query: "the `key` query parameter",
  bearer: "the `Authorization: Bearer` header",
  header: "the `X-API-Key` header",
};

/** The message for a key that is missing or refused. */
export function keyMessage(problem: KeyProblem): string {
  switch (problem.code) {
    case "missing_key":
      return missingKey(problem);
    case "malformed_key":
      return malformedKey(problem);
    case "bad_signature":
      return (
        `The key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]} was not issued by this service: its signature ` +
        "doesn't match. Copy the whole key again, and check that it is for this API. If that doesn't help, ask the operator of " +
        "this API for a new key."
      );
    case "unknown_key":
      if (problem.end) return ended(problem, problem.end);
      return (
        `There is no active record for the key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]}. Check that it is for ` +
        "this API, or ask the operator of this API for a new key. Operators: check that this deployment issued it, and whether " +
        `its data was restored from an older backup; ${ISSUE}.`
      );
    case "revoked_key":
      return (
        `The key ${echo(problem.display)} in ${SLOT_NAME[problem.slot]} was revoked and can't be used again. ` +
        `Use the key that replaced it, or ask the operator of this API for a new one. Operators: ${ISSUE}.`
      );
    case "origin_not_allowed":
      return originNotAllowed(problem);
  }
}

const ENDINGS: Readonly<Record<KeyEnd["how"], { happened: string; toDo: string }>> = {
  expired: {
    happened: "expired",
    toDo:
      "Ask the operator of this API for a later expiry, or for a new key. Operators: set a later expiry in the console, or with " +
      `${keysCommand("expire ID DATE")}.`,
  },
  disabled: {
    happened: "was disabled",
    toDo:
      "Ask the operator of this API to enable it again. Operators: enable the key or its customer in the console, or with " +
      `${keysCommand("enable ID")}.`,
  },
  rotated: {
    happened: "was replaced by a new key, and ended",
    toDo: `Use the key that replaced it, or ask the operator of this API for a new one. Operators: ${ISSUE}.`,
  },
};

function ended({ display, slot }: Problem & { code: "unknown_key" }, { how, at }: KeyEnd): string {
  const { happened, toDo } = ENDINGS[how];
  const [day = "", time = ""] = at.split("T");
  return `The key ${echo(display)} in ${SLOT_NAME[slot]} ${happened} on ${day} at ${time.slice(0, 5)} UTC. ${toDo}`;
}

function missingKey(problem: Problem & { code: "missing_key" }): string {
  if (problem.reason === "keyless_off")
    return (
      `No API key was sent, and this API requires one. Send a key ${HOW_TO_SEND}. If you have none, ask the operator of this ` +
      `API. Operators: ${ISSUE}.`
    );
  const name = SLOT_NAME[problem.slot];
  const orOmit = problem.servesKeyless ? `, or omit ${name} to make a keyless request` : "";
  return `An empty key was sent in ${name}. Check that the variable that should hold the key is set${orOmit}.`;
}

function malformedKey(problem: Problem & { code: "malformed_key" }): string {
  const name = SLOT_NAME[problem.slot];
  switch (problem.reason) {
    case "given_twice":
      return `More than one key was sent in ${name}. Send exactly one.`;
    case "too_long":
      return `The value in ${name} isn't a valid key: it is longer than 256 characters. Send only the key.`;
    case "shape":
      return (
        `The value in ${name} isn't a valid key. A key starts with \`geo_pk_\` or \`geo_sk_\` and contains only letters, ` +
        "digits and underscores. Copy the whole key again, without quotes or spaces, and check that it isn't cut off or a " +
        "placeholder."
      );
  }
}

function originNotAllowed(problem: Problem & { code: "origin_not_allowed" }): string {
  const key = `the ${problem.kind} key ${echo(problem.display)}`;
  if (problem.refusedOrigin === null || problem.sentAs === "none")
    return (
      `Only origins on its allowlist can use ${key}, and this request has neither an \`Origin\` nor a usable ` +
      "`Referer` header. Send the request from a page on an allowed origin, or use a secret key on a server."
    );
  const source = problem.sentAs === "referer" ? " (taken from the `Referer` header)" : "";
  const refused = `The origin ${echo(problem.refusedOrigin)}${source} isn't on the allowlist of ${key}.`;
  const entry = allowlistEntry(problem.refusedOrigin);
  if (entry !== null)
    return (
      `${refused} Ask the operator of this API to add \`${entry}\` to the key's allowlist, or send the request from an allowed ` +
      `origin. Operators: add it in the console, or with ${keysCommand(`set-origins ID ${entry}`)}, which replaces the list: ` +
      `append the entries to keep, separated by commas. ${keysCommand("list")} shows the key's ID.`
    );
  return problem.refusedOrigin === "null"
    ? `${refused} Browsers send \`null\` for pages opened from a file and for sandboxed frames, and it can't be ` +
        "allowed. Serve the page over HTTP, and ask the operator of this API to add that origin."
    : `${refused} It isn't a valid origin (scheme, host and port, such as \`https://www.example.com\`), so it can't ` +
        "be allowed. Send the `Origin` header that a browser would send.";
}

/** The allowlist entry that would allow this origin; null if there is none. */
function allowlistEntry(sent: string): string | null {
  const parsed = parseAllowlistEntry(sent);
  // Stricter than the parser, because people paste this command into a shell.
  return "entry" in parsed && /^[a-z0-9.:/_[\]-]+$/.test(parsed.entry) ? parsed.entry : null;
}
