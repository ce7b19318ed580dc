import { setTimeout as delay } from "node:timers/promises";
import { send } from "../../../harness/http.ts";
import { waitFor } from "../../../harness/wait-for.ts";
import type { Target } from "../target.ts";
import { type Attack, createTally } from "./attack.ts";
import { flood } from "./floods.ts";

const CONNECTIONS = 20;
/** Wrong tokens between two sign-ins of the operator: far more than are checked without a delay. */
const WRONG_BETWEEN = 30;
const WRONG_TIMEOUT_MS = 30_000;
/** How often, and for how long, the operator retries. */
const RETRY_MS = 500;
const SIGN_IN_TIMEOUT_MS = 5_000;

/** A steady stream of wrong admin tokens must not lock out an operator with the right one. */
export function consoleTokens({ perSecond }: { perSecond: number }): Attack {
  return {
    name: "console-tokens",
    about: `${perSecond} wrong console tokens a second, while the operator signs in repeatedly`,
    async run(target, signal) {
      const over = new AbortController();
      let wrong = 0;
      const attacking = flood(target, over.signal, {
        ...{ connections: CONNECTIONS, perSecond },
        requestOf: (turn) => ({ bytes: signInRequest(target, `wrong-token-${turn}`), code: null }),
        onResponse: () => {
          wrong += 1;
        },
      });
      const { counts, add } = createTally();
      const problems: string[] = [];
      do {
        const enough = wrong + WRONG_BETWEEN;
        await waitFor(`${WRONG_BETWEEN} wrong tokens`, () => wrong >= enough, WRONG_TIMEOUT_MS);
        const { status, tookMs } = await signInWithRetries(target);
        add(status === 303 ? "operator signed in" : "operator locked out");
        if (status !== 303) problems.push(`the right token wasn't accepted within 5 s; the last status was ${status}`);
        counts["operator's longest wait, ms"] = Math.max(counts["operator's longest wait, ms"] ?? 0, tookMs);
      } while (!signal.aborted);
      over.abort();
      const { tally } = await attacking;
      return { tally: { ...tally, ...counts }, problems };
    },
  };
}

/** Retries for 5 s, as an operator would. */
async function signInWithRetries(target: Target): Promise<{ status: number; tookMs: number }> {
  const startMs = performance.now();
  for (;;) {
    const status = await signIn(target);
    const tookMs = Math.round(performance.now() - startMs);
    if (status === 303 || tookMs > SIGN_IN_TIMEOUT_MS) return { status, tookMs };
    await delay(RETRY_MS);
  }
}

/** @returns the status; 0 without a response. */
async function signIn({ url, docsHost, docsUrl, adminToken }: Target): Promise<number> {
  const headers = { Origin: docsUrl, "Content-Type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ token: adminToken }).toString();
  const sent = { method: "POST", path: "/console/sign-in", host: docsHost, headers, body };
  return send(url, sent).then(
    ({ status }) => status,
    () => 0,
  );
}

function signInRequest({ docsHost, docsUrl }: Target, token: string): string {
  const body = `token=${token}`;
  return (
    `POST /console/sign-in HTTP/1.1\r\nHost: ${docsHost}\r\nOrigin: ${docsUrl}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}
