import { type Child, startChild, waitForOutput } from "../../../../test/harness/child.ts";

/** A busy machine takes its time to start a process. */
const START_TIMEOUT_MS = 60_000;

/** Disposing of it kills it, stopped or not. */
export interface FakeNode extends AsyncDisposable {
  port: number;
  child: Child;
}

/** Starts fake-node.ts; resolves when it serves. */
export async function startNode(name: string, port = 0, age: "new" | "older" = "new"): Promise<FakeNode> {
  const child = startChild("services/gateway/src/testing/fake-node.ts", [name, String(port), age], {});
  const served = await waitForOutput(
    child,
    `node ${name} to serve`,
    () => (child.stdout().endsWith("\n") ? Number(child.stdout()) : undefined),
    START_TIMEOUT_MS,
  );
  return {
    port: served,
    child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** The target that names nodes on this machine. */
export function targetOf(...ports: readonly number[]): string {
  return `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(",")}`;
}
