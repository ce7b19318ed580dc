import { type Child, withExit } from "./child.ts";
import { runHere } from "./command.ts";
import type { IssuedKey, KeyOptions } from "./deployment.ts";

/**
 * Runs `keys … --json` as an operator would, but in this process: the suites run it hundreds of times.
 * @param environment the address of the service.
 * @throws Error with the command's message if it fails.
 */
export function runKeys(args: readonly string[], environment: Readonly<Record<string, string>>) {
  return runJson(["keys", ...args], environment);
}

async function runJson(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = await runHere([...args, "--json"], environment);
  if (status !== 0) throw new Error(`${args.join(" ")} ended with status ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The arguments of `keys issue` for these options. */
function issueArguments(options: KeyOptions): string[] {
  const args = ["issue", "--kind", options.kind ?? "secret", "--plan", options.plan ?? "paid"];
  if (options.label !== undefined) args.push("--label", options.label);
  if (options.origins !== undefined) args.push("--origins", options.origins.join(","));
  if (options.forward) args.push("--forward");
  if (options.customer !== undefined) args.push("--customer", options.customer);
  return args;
}

/**
 * The part of a Deployment that administers keys.
 * @param process the process that runs it, if it is one of this machine. Errors say so if it has exited.
 */
export function keyAdministration(environment: Readonly<Record<string, string>>, process?: Child) {
  const shared = new Map<string, Promise<IssuedKey>>();
  const run =
    (command: string) =>
    async (...args: string[]) => {
      try {
        return await runJson([command, ...args], environment);
      } catch (error) {
        throw process ? withExit(error, process) : error;
      }
    };
  const keys = run("keys");
  const issueKey = (options: KeyOptions = {}): Promise<IssuedKey> => keys(...issueArguments(options));
  return {
    keys,
    customers: run("customers"),
    issueKey,
    sharedKey: (options: KeyOptions = {}) => {
      const name = JSON.stringify(issueArguments(options));
      const key = shared.get(name) ?? issueKey(options);
      shared.set(name, key);
      return key;
    },
  };
}
