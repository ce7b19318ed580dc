import { once } from "node:events";
import { request } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { type InternalTls, readInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { serverOptions } from "@geolookup/shared/runtime/tls/secure-server.ts";
import { otherDeploymentSettings, tlsOf } from "@geolookup/shared/runtime/tls/testing/internal-certificates.ts";
import { expect } from "chai";
import { startApp } from "./testing/start-app.ts";

describe("gateway with a portal over internal TLS", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  const startPortal = async (tls: InternalTls) => {
    const server: Server = createServer(serverOptions(tls), (req, res) => {
      const socket = req.socket as TLSSocket;
      res.end(`${socket.getProtocol()} ${socket.getPeerX509Certificate()?.subjectAltName}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    opened.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  };
  /** A page through a gateway whose PORTAL_URL has the scheme `http`. */
  const fetchPage = async (portalPort: number, portalTls: InternalTls | null) => {
    const gateway = opened.use(await startApp(`http://127.0.0.1:${portalPort}`, undefined, portalTls));
    const options = { host: "127.0.0.1", port: gateway.port, path: "/errors", headers: { host: "docs.test" } };
    const [res] = await once(request({ ...options, agent: false }).end(), "response");
    return { status: res.statusCode, text: (await res.toArray()).join("") };
  };

  it("shows its certificate, and speaks TLS 1.3", async () => {
    const page = await fetchPage(await startPortal(tlsOf("portal")), tlsOf("gateway"));
    expect(page).to.deep.equal({ status: 200, text: "TLSv1.3 DNS:gateway.geolookup.internal" });
  });

  for (const [what, portal] of [
    ["has another service's certificate", () => tlsOf("geo")],
    ["has a certificate of another CA", () => readInternalTls(otherDeploymentSettings("portal"), "portal")],
  ] as const)
    it(`returns 503 if the portal ${what}`, async () => {
      expect((await fetchPage(await startPortal(portal()), tlsOf("gateway"))).status).to.equal(503);
    });
});
