import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect as connectPlain } from "node:net";
import { join } from "node:path";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { expect } from "chai";
import { testAuthority } from "../harness/certificates.ts";
import { ONE_OF_EACH } from "../harness/cluster.ts";
import { expectError, expectRawError, expectRecord } from "../harness/expect-response.ts";
import { trust } from "../harness/http.ts";
import { sendRaw } from "../harness/raw.ts";
import { keyed } from "../harness/slots.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const DEADLINE_MS = 5_000;
const folder = tempFolder();
const tls = { TLS_CERT_FILE: join(folder, "tls.pem"), TLS_KEY_FILE: join(folder, "tls.key") };

/** Puts a new certificate in place as a renewal does. @returns its PEM. */
function renew(): string {
  const { certFile, keyFile } = testAuthority().issue();
  for (const [path, source] of [
    [tls.TLS_KEY_FILE, keyFile],
    [tls.TLS_CERT_FILE, certFile],
  ] as const) {
    writeFileSync(`${path}.new`, readFileSync(source), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return readFileSync(certFile, "utf8");
}
renew();

// SECURE=on runs every other contract suite over TLS as well.
onOneDeploymentWith({ ...ONE_OF_EACH, ...tls }, "contract: over TLS", (deployment) => {
  const handshake = async (options: ConnectionOptions = {}): Promise<TLSSocket> => {
    const { hostname, port } = new URL(deployment().url);
    const socket = connect({ host: hostname, port: Number(port), ...trust(hostname), ...options });
    await once(socket, "secureConnect");
    return socket;
  };
  const refusal = (options: ConnectionOptions) =>
    handshake(options).then(
      (socket) => socket.destroy() && expect.fail("it was let in"),
      ({ code }: NodeJS.ErrnoException) => code,
    );
  const served = async (socket: TLSSocket) => {
    socket.write("GET /v1/geo HTTP/1.1\r\nHost: a\r\n\r\n");
    return String((await once(socket, "data"))[0]).startsWith("HTTP/1.1 200");
  };

  it("records, errors, preflights and pages are the same, with https links", async () => {
    expect(deployment().url).to.match(/^https:/);
    expect(deployment().docsUrl).to.match(/^https:\/\/docs\.localhost:/);
    expectRecord(await deployment().send());
    const { key } = await deployment().sharedKey({ plan: "paid" });
    expect(expectRecord(await deployment().send({ ...keyed(key), from: "44.0.77.3" }))).to.have.property(
      "ip",
      "44.0.77.3",
    );
    expectError(await deployment().send({ path: "/nowhere" }), "not_found", deployment());
    expectError(await deployment().send(keyed("nonsense")), "malformed_key", deployment());
    expect((await deployment().send({ method: "OPTIONS", path: "*" })).status).to.equal(204);
    const page = await deployment().send({ path: "/errors/not_found", host: deployment().docsHost });
    expect(page.status).to.equal(200);
    expect(page.text).to.include("not_found");
  });

  it("malformed HTTP gets the same response, and its connection is closed", async () => {
    for (const bytes of ["garbage\r\n\r\n", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"])
      expectRawError(await sendRaw(deployment().url, bytes), "not_found", deployment());
    const { hostname, port } = new URL(deployment().url);
    const below = connectPlain(Number(port), hostname);
    const tunnel = await handshake({ socket: below });
    // The connection under it is reset by this client.
    tunnel.once("error", () => undefined);
    tunnel.write("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    below.resetAndDestroy();
    expectRecord(await deployment().send());
  });

  it("supports only TLS 1.2 and 1.3, and HTTP/1.1", async () => {
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const socket = await handshake({ minVersion: version, maxVersion: version, ALPNProtocols: ["h2", "http/1.1"] });
      expect([socket.getProtocol(), socket.alpnProtocol]).to.deep.equal([version, "http/1.1"]);
      expect(await served(socket)).to.equal(true);
      socket.destroy();
    }
    // Level 0, so that it is not this client that refuses.
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    expect(await refusal(old)).to.equal("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
    expect(await refusal({ ALPNProtocols: ["h2"] })).to.equal("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL");
  });

  it("closes plaintext connections without a response", async () => {
    const { hostname, port } = new URL(deployment().url);
    for (const bytes of ["GET /v1/geo HTTP/1.1\r\nHost: a\r\n\r\n", "\u0016\u0003\u0001nonsense".repeat(9)]) {
      const socket = connectPlain(Number(port), hostname, () => socket.write(bytes, "latin1"));
      const received: Buffer[] = [];
      socket.on("data", (data: Buffer) => received.push(data));
      // A reset is as good an end as any.
      socket.on("error", () => {});
      await once(socket, "close");
      expect(Buffer.concat(received).toString("latin1")).to.not.include("HTTP/");
    }
    expectRecord(await deployment().send());
  });

  it("uses a renewed certificate for new connections, and keeps open ones", async function () {
    this.timeout(4 * DEADLINE_MS);
    const open = await handshake();
    const fingerprint = async () => {
      const socket = await handshake();
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      return certificate?.fingerprint256;
    };
    const before = await fingerprint();
    const text = renew();
    const renewed = new X509Certificate(text).fingerprint256;
    await waitFor("the new certificate", async () => (await fingerprint()) === renewed, DEADLINE_MS);
    expect(before).to.not.equal(renewed);
    expect(await served(open), "on the connection from before").to.equal(true);
    open.destroy();
    writeFileSync(tls.TLS_CERT_FILE, text.slice(0, 300));
    try {
      await waitFor("the log", () => deployment().output().includes("the previous ones stay in use"), DEADLINE_MS);
      expect(await fingerprint()).to.equal(renewed);
    } finally {
      // The next deployment starts with these files.
      renew();
    }
  });
});
