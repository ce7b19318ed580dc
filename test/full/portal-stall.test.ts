import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const TEST_TIMEOUT_MS = 90_000;
/** The portal's timeout is 20 s; Node closes the connection within twice that. */
const CLOSED_TIMEOUT_MS = 60_000;
const REQUESTS = 100;
const ESTABLISHED = "01";

onEveryDeployment("the portal's own listener", (deployment) => {
  it("closes a connection whose client doesn't read its responses", async function () {
    this.timeout(TEST_TIMEOUT_MS);
    const { hostname, port } = new URL(deployment().portalUrl);
    const socket = connect(Number(port), hostname).on("error", () => {});
    try {
      await once(socket, "connect");
      const request = `GET /search.json HTTP/1.1\r\nHost: ${deployment().docsHost}\r\n\r\n`;
      socket.pause().write(request.repeat(REQUESTS));
      const isOpen = () => isEstablished(Number(port), socket.localPort ?? 0);
      await waitFor("the connection to be open", isOpen, CLOSED_TIMEOUT_MS);
      await waitFor("the portal to close it", () => !isOpen(), CLOSED_TIMEOUT_MS);
    } finally {
      socket.destroy();
    }
  });
});

/** Whether the system has an open connection with these ports. Reading or writing would keep it open. */
function isEstablished(localPort: number, remotePort: number): boolean {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .some(
      ([, local = "", remote = "", state]) =>
        local.endsWith(`:${hex(localPort)}`) && remote.endsWith(`:${hex(remotePort)}`) && state === ESTABLISHED,
    );
}
