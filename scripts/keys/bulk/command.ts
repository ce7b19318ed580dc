import type { Command } from "commander";
import {
  type CommandContext,
  CommandLineError,
  JSON_OPTION,
  type Perform,
  requiredArgument,
} from "../../command-line.ts";

/** Adds the commands about many keys at once to `keys`. */
export function addBulk(keys: Command, context: CommandContext, act: (perform: Perform) => void): void {
  keys
    .command("import")
    .summary("issue the keys of a CSV file")
    .description(
      `Issues a key for each line of a CSV file, or none if a line is invalid. The first line names the columns: kind (publishable or \
secret), plan, label, origins (separated by commas), forward (yes or no), expires (a date, a duration or never), customer, and a column \
metadata.NAME for each pair. All but kind may be missing; a key with a customer needs no plan. At most 100,000 lines.

The new keys are first saved in FILE.keys.csv, beside the file, which only you can read, and then issued. If the command is interrupted, \
run it again: it issues those that were saved. With - it reads standard input and writes the keys to standard output; to finish such an \
import, pass what it wrote on standard input.`,
    )
    .addArgument(requiredArgument("<file>", "its path; - is standard input"))
    .option(...JSON_OPTION)
    .action((file: string, { json }: { json?: boolean }) => {
      if (file === "-" && json)
        throw new CommandLineError("with -, standard output has the keys, so --json isn't possible");
      act(async () => (await import("./import.ts")).runImport(context, file, json));
    });
  keys
    .command("find")
    .description("find the key that is in standard input, by its hash; it is never printed")
    .addArgument(requiredArgument("<->", "standard input").choices(["-"]))
    .option(...JSON_OPTION)
    .action((_: string, { json }: { json?: boolean }) =>
      act(async () => (await import("../scan/run.ts")).runFind(context, json)),
    );
  keys
    .command("scan")
    .summary("find keys in files or a Git history, and revoke them")
    .description(
      `Finds keys of this service in a file, or in all files of a folder and in the whole history of the Git repositories there, and \
prints where they are, never the keys. Only keys that this service has issued are reported. With Docker Compose or Kubernetes, pass the \
text on standard input: git log --patch --all | ./geolookup keys scan -`,
    )
    .addArgument(requiredArgument("<path>", "a file or folder; - is standard input"))
    .option("--revoke", "revoke the keys that were found, after you confirm it")
    .option("--yes", "revoke without asking")
    .option(...JSON_OPTION)
    .action((path: string, options: { revoke?: boolean; yes?: boolean; json?: boolean }) => {
      if (path === "-" && options.revoke && !options.yes)
        throw new CommandLineError("--revoke needs --yes if the text is on standard input");
      act(async () => (await import("../scan/run.ts")).runScan(context, path, options));
    });
}
