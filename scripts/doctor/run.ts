import type { CommandContext } from "../run-command.ts";
import { runDoctorIp } from "./ip.ts";
import { runOverview } from "./overview.ts";

export const HELP = `Usage: make doctor
       make doctor ARGS="ip --peer ADDRESS [--x-forwarded-for 'A, B']"

Without arguments: every process of the deployment, whether it is ready, its version, the age of its
data, how far behind it is, and what isn't available to it. Ends with status 1 if there are
warnings. Asks the ops ports in OPS_TARGETS; default: that of what \`make start\` runs. With REDIS_URL (and
REDIS_PASSWORD and so on, as the gateway reads them) it also checks that Redis retains nothing
about callers.

ip: which address the gateway takes for the caller's when a connection comes from ADDRESS with that
X-Forwarded-For, and why; and what each database says of it. Reads TRUST_PROXY, which must be what the
gateway has (in Docker Compose it is), and GEO_URL. Nothing of it is logged or stored.
`;

/** Runs the doctor as the command line says. @throws StartError, CommandLineError */
export function runDoctor(context: CommandContext): Promise<number> {
  const [command, ...rest] = context.args;
  return command === "ip" ? runDoctorIp({ ...context, args: rest }) : runOverview(context);
}
