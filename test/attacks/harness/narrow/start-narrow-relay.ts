import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Enough for the server's part of a TLS handshake, including its certificate. Responses come after it. */
const HANDSHAKE_BYTES = 4_096;

export interface NarrowRelay extends AsyncDisposable {
  /** Its port on loopback. */
  port: number;
}

/**
 * Starts a relay whose connections to a server have a tiny receive buffer that is never read. The server's kernel then
 * accepts about 27 kB of a connection's responses, as it does for a distant caller, instead of 4 MB on loopback.
 * Needs Perl, which every Debian has, because Node can't set a socket's receive buffer.
 * @param url of the server. With https, the handshake is relayed.
 */
export async function startNarrowRelay(url: string): Promise<NarrowRelay> {
  const { hostname, port, protocol } = new URL(url);
  const script = fileURLToPath(new URL("narrow-relay.pl", import.meta.url));
  const replyBytes = protocol === "https:" ? HANDSHAKE_BYTES : 0;
  const child = spawn("perl", [script, hostname, port, `${replyBytes}`], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [text] = await Promise.race([
    once(child.stdout, "data"),
    exited.then(() => Promise.reject(new Error("the narrow relay ended unexpectedly"))),
  ]);
  return {
    port: Number(text),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
