import type { LineProblem } from "@geolookup/geo/geofeed/geofeed.ts";
import { listFeeds } from "@geolookup/geo/geofeed/geofeed-paths.ts";
import { problemText, readGeofeedFile } from "@geolookup/geo/geofeed/read-geofeed.ts";
import { commaSeparated, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { type CommandContext, CommandLineError } from "../command-line.ts";

/** Checks geofeeds. @throws StartError, CommandLineError */
export async function runGeofeedCheck(
  { environment, print }: CommandContext,
  path: string | undefined,
  isStrict: boolean,
): Promise<number> {
  const schema = z.object({ GEOFEED_FILE: commaSeparated().optional() });
  const named = path ? [path] : readEnvironment(schema, environment).GEOFEED_FILE;
  if (named === undefined) throw new CommandLineError("no file given: name one, or set GEOFEED_FILE");
  const { files, problems } = await listFeeds({ named, optional: [] });
  if (problems.length > 0) throw new StartError(problems.join("\n"));
  if (files.length === 0) print(`no .csv file in ${named.join(", ")}\n`);
  let skipped = 0;
  for (const file of files) skipped += await checkFile(file.path, print, isStrict);
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
  const { size } = feed.prefixes.values;
  print(`${path}: ${size} ${size === 1 ? "prefix" : "prefixes"}, ${lines(skipped)} left out\n`);
  return skipped;
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
