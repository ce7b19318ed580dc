import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { DEFAULT_IDENTITY_TEMPLATE } from "@geolookup/shared/runtime/tls/identities.ts";
import { readInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { expect } from "chai";
import { callService } from "../../scripts/keys/admin-client.ts";
import { authorityOf, type CertificateFiles, createAuthority } from "../harness/certificates.ts";
import { send } from "../harness/http.ts";
import { type LoadKey, startLoad } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { run } from "./harness/run.ts";
import { onCompose, START_TIMEOUT_MS } from "./harness/suite.ts";

/** The suite's own network, so that this machine's address on it can be configured as a proxy. */
const NETWORK_PREFIX = "10.205";
const LOGGED_WITHIN_MS = 15_000;
const PORTS = { auth: 50052, geo: 50051, usage: 50053, portal: 8082, nats: 4222, redis: 6379 };
type Port = keyof typeof PORTS;

const RESPONSE = /PONG|-ERR|-NOAUTH|^HTTP/m;
const UNTRUSTED = /from a CA that isn't in INTERNAL_TLS_CA_FILE|signed by unknown authority|certificate verify failed/;
/** What each port's log says about a client that it refuses. */
const REFUSED: [what: string, reason: RegExp][] = [
  ["no certificate", /the client sent no certificate|didn't provide a certificate|did not return a certificate/],
  ["a certificate of another CA", UNTRUSTED],
  ["an expired certificate", /the client's certificate has expired|certificate has expired|certificate verify failed/],
  ["plaintext", /the client doesn't use TLS|first record does not look like a TLS handshake|wrong version number/],
];

describe("TLS between the containers", function () {
  this.timeout(START_TIMEOUT_MS);
  const cluster = onCompose("up-ha", () => {
    const options = fixtureOptions({ NETWORK_PREFIX, TRUST_PROXY: `${NETWORK_PREFIX}.253.1` });
    return { ...options, overrides: options.overrides.filter((file) => !file.includes("trust-hop")) };
  });
  let keys: LoadKey[];
  before(async () => {
    keys = await cluster().issueKeys(4);
  });

  /** What the containers of a service have logged, since a time. */
  const logOf = async (service: string, since = "0") => {
    const containers = await cluster().containers(service);
    const logs = await Promise.all(containers.map(({ id }) => run("docker", ["logs", "--since", since, id])));
    return logs.map(({ stdout, stderr }) => stdout + stderr).join("");
  };
  const addressOf = async (service: Port) => (await cluster().healthy(service))[0]?.address ?? "";
  const ca = () => readFileSync(cluster().certificateOf("operator").caFile, "utf8");
  const authority = () =>
    authorityOf(cluster().certificateOf("operator").caFile, join(cluster().secrets, "internal-ca/ca.pem"));

  /** Opens a connection and sends a few bytes. Resolves with what the server said before its response ended. */
  const talk = async (service: Port, files: CertificateFiles | "none" | "plaintext", line: string) => {
    const tcp = connect(PORTS[service], await addressOf(service));
    tcp.on("error", () => {});
    // NATS sends the first bytes, unencrypted and without secrets.
    if (service === "nats") await new Promise((resolve) => tcp.once("data", resolve));
    const own =
      typeof files === "string" ? {} : { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
    const ALPNProtocols = [service === "portal" ? "http/1.1" : "h2"];
    const options = { socket: tcp, ca: ca(), checkServerIdentity: () => undefined, ALPNProtocols, ...own };
    const socket: Socket = files === "plaintext" ? tcp : connectTls(options);
    let said = "";
    socket
      .on("error", () => {})
      .on("data", (data) => {
        said += data.toString("latin1");
      });
    socket.write(line);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await Promise.race([closed, waitFor("a response", () => RESPONSE.test(said), LOGGED_WITHIN_MS)]);
    tcp.destroy();
    return said;
  };

  it("everything is healthy, and ./geolookup doctor shows when each certificate expires", async () => {
    const printed = await cluster().make("--silent", "doctor");
    expect(printed).to.match(/No warnings\.\n$/);
    expect(printed.match(/the certificate for other processes expires in 36\d days/g)).to.have.length(6);
    expect(await cluster().make("--silent", "smoke")).to.match(/ 0 failed/);
  });

  for (const service of Object.keys(PORTS) as Port[])
    it(`${service} refuses clients without a valid certificate, and logs why`, async () => {
      const expired = authority().issue({ names: ["DNS:gateway.geolookup.internal", "DNS:gateway"], days: -1 });
      const clients = ["none", createAuthority().issue(), expired, "plaintext"] as const;
      for (const [index, [what]] of REFUSED.entries())
        expect(await talk(service, clients[index] ?? "none", "PING\r\n\r\n"), what).to.not.match(/PONG|200 OK/);
      for (const [what, reason] of REFUSED) {
        // Redis says the same of both certificates.
        const count = service === "redis" && what === "an expired certificate" ? 2 : 1;
        const isLogged = async () => ((await logOf(service)).match(new RegExp(reason, "g"))?.length ?? 0) >= count;
        await waitFor(`the reason for ${what}`, isLogged, LOGGED_WITHIN_MS);
      }
    });

  it("auth refuses the certificate of geo, even with the admin token", async () => {
    const address = await cluster().addressOf("auth");
    const tls = readInternalTls(
      { ...cluster().certificateOf("geo"), identityTemplate: DEFAULT_IDENTITY_TEMPLATE },
      "geo",
    );
    const peer = securePeer(tls, "auth");
    const error = await callService({ ...address, peer }, KEY_ADMIN.ListKeys, { pageSize: 1 }).catch(
      (reason) => reason,
    );
    expect(error).to.be.an("error");
    await waitFor("the log", async () => /gRPC call refused/.test(await logOf("auth")), LOGGED_WITHIN_MS);
  });

  it("the portal refuses the certificate of usage", async () => {
    const said = await talk(
      "portal",
      cluster().certificateOf("usage"),
      "GET / HTTP/1.1\r\nHost: docs.localhost\r\n\r\n",
    );
    expect(said).to.not.include("200 OK");
    await waitFor("the log", async () => /HTTP connection refused/.test(await logOf("portal")), LOGGED_WITHIN_MS);
  });

  for (const [owner, user] of [
    ["portal", "gateway"],
    ["gateway", "auth"],
  ] as const)
    it(`NATS refuses the certificate of ${owner} with the password of ${user}`, async () => {
      const pass = readFileSync(join(cluster().secrets, `nats-${user}-password`), "utf8").trim();
      const line = `CONNECT ${JSON.stringify({ user, pass, verbose: false })}\r\nPING\r\n`;
      expect(await talk("nats", cluster().certificateOf(user), line)).to.include("PONG");
      expect(await talk("nats", cluster().certificateOf(owner), line)).to.include("-ERR 'Authorization Violation'");
      await waitFor("the log", async () => /authentication error/.test(await logOf("nats")), LOGGED_WITHIN_MS);
    });

  it("NATS and Redis require a password, too", async () => {
    const gateway = cluster().certificateOf("gateway");
    expect(await talk("nats", gateway, "CONNECT {}\r\nPING\r\n")).to.include("-ERR 'Authorization Violation'");
    expect(await talk("redis", gateway, "PING\r\n")).to.include("-NOAUTH");
  });

  /** Serial numbers of all certificates, and names of the trusted CAs. */
  const inUse = () =>
    readdirSync(join(cluster().secrets, "internal-tls")).map((name) => {
      const { certFile, caFile } = cluster().certificateOf(name as "nats");
      const trusted = readFileSync(caFile, "utf8").match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [];
      const authorities = trusted.map((pem) => new X509Certificate(pem).subject);
      return { name, serial: new X509Certificate(readFileSync(certFile)).serialNumber, authorities };
    });

  for (const [args, isNewCa] of [
    ["", false],
    ["--ca", true],
  ] as const)
    it(`./geolookup rotate certificates ${args} under load: no failed request, and no connection is lost`, async function () {
      const before = inUse();
      const since = new Date().toISOString();
      const pages: Record<number, number> = {};
      let isOver = false;
      const reading = (async () => {
        while (!isOver) {
          const { status } = await send(cluster().url, {
            path: "/errors",
            host: `docs.localhost:${cluster().environment.PORT}`,
          });
          pages[status] = (pages[status] ?? 0) + 1;
        }
      })();
      const load = startLoad({ urls: [cluster().url], keys, requestsPerSecond: 100 });
      try {
        await load.more(100);
        await cluster().make("rotate-certificates", `ARGS=${args}`);
        await load.more(300);
      } finally {
        isOver = true;
        await load.stop();
        await reading;
      }
      const { statuses, errors, partial, served } = load.report;
      this.runnable().title += `: ${served} requests and ${pages[200]} pages`;
      expect({ statuses: Object.keys(statuses), errors, partial, pages: Object.keys(pages) }).to.deep.equal({
        statuses: ["200"],
        errors: {},
        partial: 0,
        pages: ["200"],
      });
      for (const { name, serial, authorities } of inUse()) {
        const old = before.find((each) => each.name === name);
        expect(serial, name).to.not.equal(old?.serial);
        expect(authorities, name).to.have.length(1);
        expect(authorities[0] !== old?.authorities[0], name).to.equal(isNewCa);
      }
      for (const service of ["gateway", "auth", "usage"])
        expect(
          (await logOf(service, since)).split("\n").filter((line) => /"level":"(warn|error)"/.test(line)),
        ).to.deep.equal([], service);
      expect(await cluster().make("--silent", "doctor")).to.match(/No warnings\.\n$/);
    });

  it("after that, clients with the old CA are refused, and restarted stores accept the new certificates", async () => {
    await cluster().compose("restart", "redis", "nats");
    const isFine = async () => (await cluster().tryMake("--silent", "doctor")).status === 0;
    await waitFor("./geolookup doctor to find nothing", isFine, 60_000);
  });
});
