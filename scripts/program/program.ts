import type { Command } from "commander";
import { addApply, addAudit, addCustomers, addOperators } from "../admin/command.ts";
import { type AddCommands, CommandLineError, JSON_OPTION } from "../command-line.ts";
import { addData, addDataReport, addGeofeedCheck } from "../geo-data/command.ts";
import { addKeys, addUsage } from "../keys/command.ts";
import { addBackup, addRestore } from "./archive-commands.ts";
import { addDoctor, addSmoke, addUsageVerify } from "./check-commands.ts";
import { addKubernetesSecrets, addNatsSetup, addRotateSigningKey } from "./cluster-commands.ts";
import { completionScript } from "./completion.ts";

/** The commands of `./geolookup`, in the order of its help. */
export const addAll: AddCommands = (program, context, act) => {
  program.description(
    "Runs and operates geolookup. Commands find the service by themselves: of start, cluster, Docker Compose or Kubernetes.",
  );
  program.commandsGroup("Run on this machine:");
  addShell(program, "start", "run the service in one process");
  addShell(program, "cluster", "run gateway, auth, geo, usage and portal as separate processes");

  program.commandsGroup("Operate:");
  addKeys(program, context, act);
  addCustomers(program, context, act);
  addApply(program, context, act);
  addUsageVerify(addUsage(program, context, act), context, act);
  addOperators(program, context, act);
  addAudit(program, context, act);
  const data = program.command("data").description("fetch, update and check the geo data");
  addData(data, context, act);
  addDataReport(data, context, act);
  addGeofeedCheck(data, context, act);
  addBackup(program, context, act);
  addRestore(program, context, act);
  const rotate = program.command("rotate").description("replace signing keys, secrets and certificates");
  addRotateSigningKey(rotate, context, act);
  addShell(rotate, "secret <name>", "replace a secret of the cluster").description(
    `Replaces a secret of the running cluster, with Docker Compose or Kubernetes, while it serves requests, without losing keys \
or counts. Safe to run again after an interruption. The name is one of:

  admin-token     restarts auth, usage and portal one by one
  ip-hash-secret  restarts the gateways; the hourly counts of keyless callers start over
  redis-password  restarts the gateways; Redis accepts both passwords until all of them have the new one
  nats-passwords  replaces all five; restarts NATS, and keys can't be changed until it is back`,
  );
  addShell(rotate, "certificates", "renew the certificates between the cluster's processes")
    .description(
      `Gives every process of the cluster, with Docker Compose or Kubernetes, and the operator's commands a new certificate, valid \
for a year, while requests are served. No request fails. Safe to run again after an interruption.`,
    )
    .option(
      "--ca",
      "replace the CA as well; takes about a minute and a half. Both CAs are trusted until every certificate is of the new one",
    );
  addDoctor(program, context, act);
  addSmoke(program, context, act);

  program.commandsGroup("Docker Compose:");
  addShell(program, "secrets", "create the cluster's secrets and certificates unless they exist");
  addShell(program, "up", "start the cluster").option("--ha", "with HAProxy in front of two or more gateways");
  addShell(program, "down", "stop it; keys, counts and geo data stay");
  addShell(program, "ps", "list its containers");
  addShell(program, "logs", "follow its logs");
  addShell(program, "scale", "set the number of containers of a service: scale geo=4");
  addShell(program, "restart", "restart its containers one by one");
  addUpgrade(program, context, act);
  addShell(program, "observe", "start Prometheus and Grafana for it");

  program.commandsGroup("Kubernetes:");
  const kubernetes = program.command("kubernetes").description("install or remove the cluster in Kubernetes");
  addShell(kubernetes, "up", "install geolookup into the cluster of the current kubectl context, or update it")
    .description(
      `Installs geolookup into the cluster of the current kubectl context, or updates it there: creates missing secrets, builds the \
images, applies them all, and waits until every pod is ready.

Images without a registry in their name are built here and tagged with their IDs, so that pods are replaced if their image has \
changed. They are loaded into the nodes of kind and minikube. For other clusters, set GEOLOOKUP_IMAGE to published images, such as \
ghcr.io/you/geolookup:0.3.0, use nodes with this machine's Docker images, or an overlay with images of your registry.`,
    )
    .option("--overlay <folder>", "a folder with a kustomization.yaml (default: infra/kubernetes/overlays/demo)");
  addShell(kubernetes, "down", "remove it; keys, counts and geo data stay")
    .description(
      `Stops geolookup in the cluster of the current kubectl context. Gateways first publish their counts. Volumes, Secrets and \
ConfigMaps stay, so that ./geolookup kubernetes up continues with the same keys and counts.`,
    )
    .option("--delete-data", "also delete the namespace geolookup with all volumes: keys and counts are lost");
  addKubernetesSecrets(kubernetes, context, act);
  addNatsSetup(program, context, act);

  program.commandsGroup("Shell:");
  program
    .command("completion")
    .description('complete commands and options in bash or zsh: eval "$(./geolookup completion)"')
    .action(() =>
      act(async () => {
        context.print(completionScript(program));
        return 0;
      }),
    );
};

/** Adds `upgrade`, which the file `geolookup` runs without --finish. */
const addUpgrade: AddCommands = (program, context, act) => {
  program
    .command("upgrade")
    .summary("rebuild or pull the images, and replace all containers one by one")
    .description(
      `Rebuilds or pulls the images, and replaces all containers one by one. At the end, and with --finish in any deployment, it checks \
that every process runs this version, and records that. Until then, processes of an earlier version may still serve requests, and \
commands that these wouldn't understand are refused: rotating, disabling and expiring keys, customers and metadata.`,
    )
    .option("--finish", "only check that every process runs this version, and record it; safe to run again")
    .option(...JSON_OPTION)
    .allowExcessArguments()
    .action(({ finish, json }: { finish?: true; json?: boolean }) => {
      if (!finish) throw new CommandLineError("run it where geolookup is installed, with ./geolookup");
      act(async () => (await import("../upgrade/finish.ts")).runFinishUpgrade(context, json));
    });
};

/** A command that the file `geolookup` runs. It is here for the help and the completion. */
function addShell(parent: Command, name: string, summary: string): Command {
  return parent
    .command(name)
    .summary(summary)
    .description(summary)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new CommandLineError("run it where geolookup is installed, with ./geolookup");
    });
}
