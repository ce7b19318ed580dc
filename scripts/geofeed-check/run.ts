import { problemText, readGeofeedFile } from "@geolookup/geo/geofeed/geofeed-file.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { z } from "zod";
import { CommandLineError, readArguments } from "../command-line.ts";
import type { CommandContext } from "../run-command.ts";

export const HELP = `Usage: make geofeed-check FILE=geofeed.csv

Reads a geofeed (RFC 8805) as the service does, and lists every line that it would skip. Without
FILE, reads GEOFEED_FILE. Exits with status 1 if there is an invalid line.
`;

/** Checks a geofeed. @throws StartError, CommandLineError */
export async function runGeofeedCheck({ args, environment, print }: CommandContext): Promise<number> {
  const { positionals } = readArguments(args, {}, 1);
  const path =
    positionals[0] || readEnvironment(z.object({ GEOFEED_FILE: z.string().optional() }), environment).GEOFEED_FILE;
  if (path === undefined) throw new CommandLineError("no file given: set FILE or GEOFEED_FILE");
  let skipped = 0;
  const { geofeed } = await readGeofeedFile(path, (problem) => {
    print(`${problemText(problem)}\n`);
    if (problem.skipped) skipped++;
  });
  print(`${path}: ${geofeed.prefixes} ${geofeed.prefixes === 1 ? "prefix" : "prefixes"}, ${lines(skipped)} left out\n`);
  return skipped === 0 ? 0 : 1;
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
