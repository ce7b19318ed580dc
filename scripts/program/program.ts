import type { Command } from "commander";
import { addBackup } from "../backup/command.ts";
import { type AddCommands, CommandLineError } from "../command-line.ts";
import { addDataReport } from "../data-report/command.ts";
import { addDoctor } from "../doctor/command.ts";
import { addData } from "../geo-data/command.ts";
import { addGeofeedCheck } from "../geofeed-check/command.ts";
import { addKeys, addUsage } from "../keys/command.ts";
import { addKubernetesSecrets } from "../kubernetes-secrets/command.ts";
import { addNatsSetup } from "../nats-setup/command.ts";
import { addRestore } from "../restore/command.ts";
import { addRotateSigningKey } from "../rotate-signing-key/command.ts";
import { addSmoke } from "../smoke/command.ts";
import { addUsageVerify } from "../usage-verify/command.ts";
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
  addUsageVerify(addUsage(program, context, act), context, act);
  const data = program.command("data").description("fetch, update and check the geo data");
  addData(data, context, act);
  addDataReport(data, context, act);
  addGeofeedCheck(data, context, act);
  addBackup(program, context, act);
  addRestore(program, context, act);
  const rotate = program.command("rotate").description("replace signing keys, secrets and certificates");
  addRotateSigningKey(rotate, context, act);
  addShell(rotate, "secret", "replace a secret of the cluster, e.g. redis-password");
  addShell(rotate, "certificates", "renew the certificates between the cluster's processes");
  addDoctor(program, context, act);
  addSmoke(program, context, act);

  program.commandsGroup("Docker Compose:");
  addShell(program, "secrets", "create the cluster's secrets and certificates unless they exist");
  addShell(program, "up", "start the cluster; --ha: with HAProxy in front of two or more gateways");
  addShell(program, "down", "stop it; keys, counts and geo data stay");
  addShell(program, "ps", "list its containers");
  addShell(program, "logs", "follow its logs");
  addShell(program, "scale", "set the number of containers of a service: scale geo=4");
  addShell(program, "restart", "restart its containers one by one");
  addShell(program, "upgrade", "rebuild and replace all containers one by one");
  addShell(program, "observe", "start Prometheus and Grafana for it");

  program.commandsGroup("Kubernetes:");
  const kubernetes = program.command("kubernetes").description("install or remove the cluster in Kubernetes");
  addShell(kubernetes, "up", "install geolookup into the cluster of the current kubectl context, or update it");
  addShell(kubernetes, "down", "remove it; keys, counts and geo data stay");
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

/** A command that the file `geolookup` runs. */
function addShell(parent: Command, name: string, description: string): void {
  parent
    .command(name)
    .description(description)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new CommandLineError("run it where geolookup is installed, with ./geolookup");
    });
}
