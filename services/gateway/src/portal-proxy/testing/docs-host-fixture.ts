import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { startApp } from "./start-app.ts";

export const DEADLINE_MS = 10_000;

/** Gives each test of the enclosing suite a gateway in front of a portal that the test controls. */
export function docsHostFixture() {
  let portal: Server;
  let gateway: Awaited<ReturnType<typeof startApp>>;
  const sockets: Socket[] = [];
  const fixture = {
    sockets,
    /** The portal. By default paths that start with `/wait` are pending, and all others have a page. */
    onPortal: ((): void => {}) as RequestListener,
    /** Responses that the portal hasn't sent. */
    pending: [] as ServerResponse[],
    get gateway() {
      return gateway;
    },
    async request(path: string, sent: { host?: string; headers?: object; method?: string; body?: string } = {}) {
      const { host = "docs.test", method = "GET", body } = sent;
      const headers = { host, ...sent.headers };
      const outgoing = request({ host: "127.0.0.1", port: gateway.port, path, method, headers, agent: false });
      const [res] = (await once(outgoing.end(body), "response")) as [IncomingMessage];
      return { status: res.statusCode, headers: res.headers, text: await text(res) };
    },
    send(bytes: string) {
      const socket = connect(gateway.port, "127.0.0.1").on("error", () => {});
      sockets.push(socket);
      socket.write(bytes);
      return socket;
    },
    get: (path: string) => `GET ${path} HTTP/1.1\r\nHost: docs.test\r\n\r\n`,
    inUse: (pool: string) => gateway.metric(`geolookup_docs_requests_in_flight{pool="${pool}"}`),
    untilInUse: (pool: string, count: number) =>
      waitFor(`${count} in use of ${pool}`, async () => (await fixture.inUse(pool)) === count, DEADLINE_MS),
    untilPending: (count: number) =>
      waitFor(`${count} at the portal`, () => fixture.pending.length === count, DEADLINE_MS),
    async expectApi() {
      expect((await fixture.request("/v1/geo", { host: "geo.test" })).status).to.equal(200);
    },
    closePortal() {
      portal.close();
      portal.closeAllConnections();
    },
  };
  beforeEach(async () => {
    fixture.pending = [];
    fixture.onPortal = (req, res) => {
      if (req.url?.startsWith("/wait")) fixture.pending.push(res);
      else req.resume().once("end", () => res.end("page"));
    };
    portal = createServer((req, res) => fixture.onPortal(req, res)).listen(0, "127.0.0.1");
    await once(portal, "listening");
    gateway = await startApp(
      `http://127.0.0.1:${(portal.address() as AddressInfo).port}`,
      ({ headers }) => headers["x-test-address"]?.toString() ?? "192.0.2.7",
    );
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    void gateway[Symbol.asyncDispose]();
    fixture.closePortal();
  });
  return fixture;
}
