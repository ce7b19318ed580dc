import type { AddressInfo, Server } from "node:net";

/** Listens on a free port and prints it as one line of JSON, which the bench waits for. */
export function announce(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
  });
}
