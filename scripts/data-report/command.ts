import { type AddCommands, JSON_OPTION, valueOption } from "../command-line.ts";
import type { ReportOptions } from "./run.ts";

/** Adds `report` to `data`. */
export const addDataReport: AddCommands = (data, context, act) => {
  data
    .command("report")
    .summary("report the quality of the geo data")
    .description(
      `Reports the coverage of each field, in all, by continent and by country, over networks and addresses; the age of the data; \
and what changed since the version that was installed before. Reads the databases in GEO_DATABASES, or those installed in \
DATA_DIR/geo. Keeps the report in DATA_DIR/geo/reports, where the operator console finds it.`,
    )
    .addOption(
      valueOption(
        "--compare <files>",
        "compare locations with another database; name both files, separated by a comma, if it has one for each of IPv4 and IPv6",
      ),
    )
    .addOption(valueOption("--html <file>", "also write the report as a web page; - prints it in place of the text"))
    .option(...JSON_OPTION)
    .action((options: ReportOptions) => act(async () => (await import("./run.ts")).runDataReport(context, options)));
};
