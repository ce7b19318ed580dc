import { runCommand } from "../run-command.ts";
import { HELP, runKubernetesSecrets } from "./run.ts";

await runCommand("kubernetes-secrets", HELP, runKubernetesSecrets);
