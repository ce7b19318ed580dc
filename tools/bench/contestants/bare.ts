import { startChild, waitForOutput } from "../../../test/harness/child.ts";
import { type Contestant, KEYLESS_PATH, type Site } from "./contestant.ts";

const START_TIMEOUT_MS = 20_000;

/** Starts one of the bench's servers, which prints its port (announce.ts). */
export async function startServer(
  script: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ port: number; pid: number } & AsyncDisposable> {
  const child = startChild(`tools/bench/${script}`, args, environment);
  const whole = () => (child.stdout().endsWith("\n") ? (JSON.parse(child.stdout()) as { port: number }) : undefined);
  const { port } = await waitForOutput(child, `${script} to listen`, whole, START_TIMEOUT_MS);
  return {
    port,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** A contestant that is one Node process without keys. */
export async function startBare(name: string, script: string, args: readonly string[] = []): Promise<Site> {
  const { port, pid, ...running } = await startServer(script, args);
  const contestant: Contestant = { name, port, pids: [pid], requests: { path: KEYLESS_PATH, keys: [] } };
  return { ...running, contestants: [contestant] };
}
