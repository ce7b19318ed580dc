import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { startApp } from "@geolookup/gateway/portal-proxy/testing/start-app.ts";
import { waitFor } from "../harness/wait-for.ts";

const TEST_TIMEOUT_MS = 90_000;
/** The gateway's timeout is 30 s. */
const CLOSED_TIMEOUT_MS = 60_000;
/** More than the system's buffers can hold. */
const PAGE_BYTES = 64_000_000;

describe("a slow but steady reader of a docs page", () => {
  let portal: Server;
  let gateway: Awaited<ReturnType<typeof startApp>>;

  before(async () => {
    portal = createServer((_req, res) => res.end(Buffer.alloc(PAGE_BYTES))).listen(0, "127.0.0.1");
    await once(portal, "listening");
    gateway = await startApp(`http://127.0.0.1:${(portal.address() as AddressInfo).port}`);
  });
  after(() => {
    void gateway[Symbol.asyncDispose]();
    portal.close();
    portal.closeAllConnections();
  });

  it("keeps its connection for 30 s", async function () {
    this.timeout(TEST_TIMEOUT_MS);
    const socket = connect(gateway.port, "127.0.0.1").on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: docs.test\r\n\r\n");
    const inUse = () => gateway.metric('geolookup_docs_requests_in_flight{pool="pages"}');
    await waitFor("the place to be taken", async () => (await inUse()) === 1, CLOSED_TIMEOUT_MS);
    const reading = setInterval(() => socket.read(65_536), 500);
    try {
      await waitFor("the place to be free", async () => (await inUse()) === 0, CLOSED_TIMEOUT_MS);
      await waitFor(
        "the portal's connection to be closed",
        () => countConnections(portal).then((n) => n === 0),
        CLOSED_TIMEOUT_MS,
      );
    } finally {
      clearInterval(reading);
      socket.destroy();
    }
  });
});

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
