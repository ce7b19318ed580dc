import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { closeHttpServer } from "@geolookup/shared/runtime/http/close-server.ts";
import { readCertificate } from "@geolookup/shared/runtime/tls/certificate.ts";
import { expect } from "chai";
import { testAuthority } from "../../../../test/harness/certificates.ts";
import { send } from "../../../../test/harness/http.ts";
import { createPublicServer } from "./public-server.ts";

describe("createPublicServer", () => {
  const { certFile, keyFile } = testAuthority().issue();
  const certificate = readCertificate(readFileSync(certFile, "utf8"), readFileSync(keyFile, "utf8"));

  for (const [what, served, scheme] of [
    ["plain", null, "http"],
    ["over TLS", certificate, "https"],
  ] as const)
    it(`${what}: closes in time despite silent connections`, async function () {
      // Less than a handshake may take.
      this.timeout(5_000);
      const { server } = createPublicServer({}, served);
      server.on("request", (_req, res) => res.end("served"));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const held = connect(port, "127.0.0.1");
      held.on("error", () => {});
      const gone = once(held, "close");
      // A response on a later connection means that the server has accepted the first one.
      expect((await send(`${scheme}://127.0.0.1:${port}`)).text).to.equal("served");
      await closeHttpServer(server, 100);
      await gone;
    });

  it("over TLS: connections without a handshake are closed without a response", async () => {
    const { server } = createPublicServer({ handshakeTimeout: 50 }, certificate);
    server.on("request", (_req, res) => res.end("served"));
    let refused = 0;
    server.on("clientError", (_error, socket) => {
      if (socket.writable) refused += 1;
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    for (const bytes of ["GET / HTTP/1.1\r\n\r\n", "nonsense\r\n", "\u0016\u0003\u0001"]) {
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
      socket.on("error", () => {});
      socket.resume();
      await once(socket, "close");
    }
    await closeHttpServer(server, 100);
    expect(refused).to.equal(0);
  });
});
