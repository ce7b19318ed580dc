import type { AddCommands } from "../command-line.ts";

/** Adds `check-geofeed` to `data`. */
export const addGeofeedCheck: AddCommands = (data, context, act) => {
  data
    .command("check-geofeed [file]")
    .summary("list the invalid lines of a geofeed")
    .description(
      `Reads a geofeed (RFC 8805), or the .csv files in a folder, as the service does, and lists every line that it would skip, or \
apply without its region. Without a file, reads GEOFEED_FILE. Exits with status 1 if there is an invalid line.`,
    )
    .option("--strict", "also skip lines whose region isn't a current ISO 3166-2 code")
    .action((file: string | undefined, options: { strict?: boolean }) =>
      act(async () => (await import("./run.ts")).runGeofeedCheck(context, file, options.strict === true)),
    );
};
