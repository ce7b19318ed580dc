import type { CommandContext } from "../run-command.ts";
import { runDoctorIp } from "./ip.ts";
import { runOverview } from "./overview.ts";

export const HELP = `Usage: make doctor
       make doctor ARGS="ip --peer ADDRESS [--x-forwarded-for 'A, B']"

Without arguments: shows every process of the deployment, whether it is ready, its version, the age of
its data, how far behind it is, and what is unavailable to it. Exits with status 1 if there are
warnings. It finds the services of \`make start\` and \`make cluster\` on this machine, whatever their
ports and data folders; DATA_DIR selects one. For others, set OPS_TARGETS to their ops ports. With
REDIS_URL (and REDIS_PASSWORD and so on, as the gateway reads them) it also checks that Redis
retains nothing about callers.

ip: shows which address the gateway takes as the caller's if a connection comes from ADDRESS with that
X-Forwarded-For, and why, and what each database has for it. It uses the TRUST_PROXY of the running
service, unless it is set for this command. Elsewhere, set GEO_URL and TRUST_PROXY to those of the
gateway. The address isn't stored or logged.
`;

/** Runs the doctor. @throws StartError, CommandLineError */
export function runDoctor(context: CommandContext): Promise<number> {
  const [command, ...rest] = context.args;
  return command === "ip" ? runDoctorIp({ ...context, args: rest }) : runOverview(context);
}
