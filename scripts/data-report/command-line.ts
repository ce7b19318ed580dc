import { CommandLineError, readArguments } from "../command-line.ts";

export const HELP = `Usage: make data-report ARGS="[--compare FILE[,FILE…]] [--html FILE] [--json]"

Reports how good the geo data in use is: the coverage of each field, in all, by continent and by
country, over networks and addresses; the age of the data; and what changed since the version that
was installed before. Reads the databases in GEO_DATABASES, or those installed in DATA_DIR/geo. Keeps
the report in DATA_DIR/geo/reports, where the operator console finds it.

  --compare FILE  compare locations with another database; name both files if it has one for each of
                  IPv4 and IPv6
  --html FILE     also write the report as a web page; --html=- prints it in place of the text
  --json          print the report as JSON
`;

export interface Settings {
  compared: readonly string[];
  /** A path, or - for standard output. */
  html: string | null;
  isJson: boolean;
}

const OPTIONS = {
  compare: { type: "string" },
  html: { type: "string" },
  json: { type: "boolean" },
} as const;

/** @throws CommandLineError */
export function readSettings(args: readonly string[]): Settings {
  const { compare, html = null, json: isJson = false } = readArguments(args, OPTIONS, 0).values;
  const compared = compare === undefined ? [] : compare.split(",").map((path) => path.trim());
  if (compared.includes("")) throw new CommandLineError("--compare needs the path of a database");
  if (html === "") throw new CommandLineError("--html needs a path, or - (--html=-) for standard output");
  if (html === "-" && isJson)
    throw new CommandLineError("--json and --html=- both write to standard output: choose one");
  return { compared, html, isJson };
}
