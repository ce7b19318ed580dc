import type { LineProblem } from "@geolookup/geo/geofeed/geofeed.ts";
import { problemText, readGeofeedFile } from "@geolookup/geo/geofeed/geofeed-file.ts";
import { listFeeds } from "@geolookup/geo/geofeed/geofeed-paths.ts";
import { commaSeparated, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { CommandLineError, readArguments } from "../command-line.ts";
import type { CommandContext } from "../run-command.ts";

export const HELP = `Usage: make geofeed-check FILE=geofeed.csv [ARGS=--strict]

Reads a geofeed (RFC 8805), or the .csv files in a folder, as the service does, and lists every line
that it would skip, or apply without its region. Without FILE, reads GEOFEED_FILE. Exits with status 1
if there is an invalid line.

  --strict  also skips lines whose region isn't a current ISO 3166-2 code
`;

/** Checks geofeeds. @throws StartError, CommandLineError */
export async function runGeofeedCheck({ args, environment, print }: CommandContext): Promise<number> {
  const { positionals, values } = readArguments(args, { strict: { type: "boolean" } }, 1);
  const [path] = positionals;
  const schema = z.object({ GEOFEED_FILE: commaSeparated().optional() });
  const named = path ? [path] : readEnvironment(schema, environment).GEOFEED_FILE;
  if (named === undefined) throw new CommandLineError("no file given: set FILE or GEOFEED_FILE");
  const { files, problems } = await listFeeds({ named, optional: [] });
  if (problems.length > 0) throw new StartError(problems.join("\n"));
  if (files.length === 0) print(`no .csv file in ${named.join(", ")}\n`);
  let skipped = 0;
  for (const file of files) skipped += await checkFile(file.path, print, values.strict ?? false);
  return skipped === 0 ? 0 : 1;
}

/** @returns how many lines are skipped. */
async function checkFile(path: string, print: (text: string) => void, isStrict: boolean): Promise<number> {
  let skipped = 0;
  const onProblem = (problem: LineProblem) => {
    print(`${problemText(problem)}\n`);
    if (problem.skipped) skipped++;
  };
  const { feed } = await readGeofeedFile(path, onProblem, { isStrict });
  print(`${path}: ${feed.prefixes} ${feed.prefixes === 1 ? "prefix" : "prefixes"}, ${lines(skipped)} left out\n`);
  return skipped;
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
