import { StartError } from "../lifecycle/start-error.ts";

/**
 * Requests a path of a process's ops port, without following redirects.
 * @param node `host:port`.
 * @param limits.maxBytes a longer response isn't read to its end.
 * @throws Error if there is no response in time, or it is too large.
 */
export async function askOpsPort(
  node: string,
  path: string,
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://${node}${path}`, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`the response from ${path} is too large`);
    text += decoder.decode(chunk, { stream: true });
  }
  return { status: response.status, text };
}

/** A service, and the ops ports of its processes. */
export interface OpsTarget {
  service: string;
  /** `host:port`; a host name stands for all its addresses. */
  target: string;
}

/** Reads `gateway=gateway:9464,auth=auth:9464`. @throws StartError */
export function parseOpsTargets(setting: string): OpsTarget[] {
  return setting.split(",").map((entry) => {
    const [, service = "", target = ""] = /^\s*([a-z-]+)=(\S+:\d+)\s*$/.exec(entry) ?? [];
    if (service === "")
      throw new StartError(
        `OPS_TARGETS: ${JSON.stringify(entry)} is invalid; it must be a comma-separated list of service=host:port, ` +
          "e.g. gateway=127.0.0.1:9464,geo=127.0.0.1:9465",
      );
    return { service, target };
  });
}
