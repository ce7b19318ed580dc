import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a port of the system's choice and prints it as the one line of JSON that the bench waits for. */
export function announce(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
  });
}
