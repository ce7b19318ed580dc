import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a server sends in a TLS handshake, its certificate included; responses come after it. */
const HANDSHAKE_BYTES = 4_096;

export interface NarrowRelay extends AsyncDisposable {
  /** Where it listens on loopback. */
  port: number;
}

/**
 * Starts a relay whose connections to a server have a tiny receive buffer that is never emptied. So a server's system
 * takes some 27 kB of a connection's responses, as it does for a caller far away, where loopback takes 4 MB otherwise.
 * It needs Perl, which every Debian has: Node can't set a socket's receive buffer.
 * @param url of the server; with https the handshake is let through.
 */
export async function startNarrowRelay(url: string): Promise<NarrowRelay> {
  const { hostname, port, protocol } = new URL(url);
  const script = fileURLToPath(new URL("narrow-relay.pl", import.meta.url));
  const replyBytes = protocol === "https:" ? HANDSHAKE_BYTES : 0;
  const child = spawn("perl", [script, hostname, port, `${replyBytes}`], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [text] = await Promise.race([
    once(child.stdout, "data"),
    exited.then(() => Promise.reject(new Error("the narrow relay has ended"))),
  ]);
  return {
    port: Number(text),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
