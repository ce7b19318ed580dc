import { startChild } from "./child.ts";
import type { IssuedKey, KeyOptions } from "./deployment.ts";

/**
 * Runs `keys … --json` as an operator would.
 * @param environment where the commands find the service.
 * @throws Error with the command's own message when it fails.
 */
export async function runKeys(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = startChild("scripts/keys/main.ts", [...args, "--json"], environment);
  const code = await child.exited;
  if (code !== 0) throw new Error(`keys ${args.join(" ")} ended with status ${code}: ${child.stderr()}`);
  return JSON.parse(child.stdout());
}

/** The arguments of `keys issue` for these options. */
export function issueArguments(options: KeyOptions): string[] {
  const args = ["issue", "--kind", options.kind ?? "secret", "--plan", options.plan ?? "paid"];
  if (options.label !== undefined) args.push("--label", options.label);
  if (options.origins !== undefined) args.push("--origins", options.origins.join(","));
  return args;
}

/** The part of a Deployment that administers keys. */
export function keyAdministration(environment: Readonly<Record<string, string>>) {
  const shared = new Map<string, Promise<IssuedKey>>();
  const keys = (...args: string[]) => runKeys(args, environment);
  const issueKey = (options: KeyOptions = {}): Promise<IssuedKey> => keys(...issueArguments(options));
  return {
    keys,
    issueKey,
    sharedKey: (options: KeyOptions = {}) => {
      const name = JSON.stringify(issueArguments(options));
      const key = shared.get(name) ?? issueKey(options);
      shared.set(name, key);
      return key;
    },
  };
}
