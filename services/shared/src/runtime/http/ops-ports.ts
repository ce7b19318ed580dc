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
