import { readFileSync } from "node:fs";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { IDENTITIES, type Identity } from "../tls/identities.ts";
import { internalAuthority, otherDeploymentSettings, tlsOf } from "../tls/testing/internal-certificates.ts";
import { refusedClients } from "../tls/testing/refused-clients.ts";
import { adminOnly } from "./calls.ts";
import { callUnary, checkHealth, type Method, openClient, type SecurePeer, securePeer } from "./client.ts";
import { serve } from "./served-service.ts";
import { AUTH, GEO, KEY_ADMIN, TOTALS, USAGE } from "./services.ts";
import { startSecurePort } from "./testing/secure-port.ts";

const DEADLINE_MS = 15_000;
const TOKEN = "an admin token for tests";
const { OK, PERMISSION_DENIED, UNAUTHENTICATED, UNAVAILABLE } = grpc.status;

const SERVICES = [
  serve(AUTH, { Authorize: () => ({}) }),
  serve(KEY_ADMIN, { ListKeys: () => ({}) }, { identify: adminOnly(TOKEN) }),
  serve(GEO, { Locate: () => ({}) }),
  serve(TOTALS, { GetChanges: () => ({}) }),
  serve(USAGE, { GetMonth: () => ({}) }, { identify: adminOnly(TOKEN) }),
];

describe("a gRPC port with internal TLS", () => {
  let port: Awaited<ReturnType<typeof startSecurePort>>;
  let opened = new AsyncDisposableStack();
  beforeEach(async () => {
    port = opened.use(await startSecurePort("auth", SERVICES));
  });
  afterEach(async () => {
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
  });

  const clientOf = (peer: SecurePeer | undefined, target = `127.0.0.1:${port.port}`) =>
    opened.use(openClient(target, peer));
  const as = (identity: Identity, meant: Identity = "auth") => securePeer(tlsOf(identity), meant);
  /** The status of a call, and its details. */
  const outcome = async (client: grpc.Client, method: Method<object, unknown>, token?: string) => {
    try {
      await callUnary(client, method, {}, { deadlineMs: DEADLINE_MS, ...(token === undefined ? {} : { token }) });
      return { code: OK, details: "" };
    } catch (error) {
      return (error as { cause: grpc.ServiceError }).cause;
    }
  };

  const ALLOWED: [string, Method<object, unknown>, Identity[]][] = [
    ["geolookup.auth.v1.Auth", AUTH.Authorize, ["gateway", "portal"]],
    ["geolookup.auth.v1.KeyAdmin", KEY_ADMIN.ListKeys, ["portal", "operator"]],
    ["geolookup.geo.v1.Geo", GEO.Locate, ["gateway", "portal", "operator"]],
    ["geolookup.usage.v1.Totals", TOTALS.GetChanges, ["gateway", "auth", "portal"]],
    ["geolookup.usage.v1.Usage", USAGE.GetMonth, ["portal", "operator"]],
  ];
  for (const [name, method, allowed] of ALLOWED)
    it(`lets only ${allowed.join(", ")} call ${name}`, async () => {
      const codes = IDENTITIES.map(async (identity) => (await outcome(clientOf(as(identity)), method, TOKEN)).code);
      expect(await Promise.all(codes)).to.deep.equal(
        IDENTITIES.map((identity) => (allowed.includes(identity) ? OK : PERMISSION_DENIED)),
      );
      const [line] = port.lines;
      expect(line).to.include({ service: name, msg: "gRPC call refused: the client's certificate doesn't permit it" });
      expect(IDENTITIES.filter((identity) => !allowed.includes(identity))).to.include(line?.caller);
    });

  it("needs the admin token too", async () => {
    expect((await outcome(clientOf(as("operator")), KEY_ADMIN.ListKeys)).code).to.equal(UNAUTHENTICATED);
  });

  it("serves health checks", async () => {
    const isServing = await new Promise((resolve) => checkHealth(clientOf(as("usage")), resolve));
    expect(isServing).to.equal(true);
  });

  it("refuses a certificate of its CA that isn't one of the services'", async () => {
    const { certFile, keyFile } = internalAuthority().issue({ names: ["DNS:nats", "DNS:*.geolookup.internal"] });
    const [ca, key, cert] = [internalAuthority().caFile, keyFile, certFile].map((path) => readFileSync(path));
    const verification = { checkServerIdentity: () => undefined };
    const credentials = grpc.credentials.createSsl(ca, key, cert, verification);
    const peer = { credentials, options: { "grpc.ssl_target_name_override": "test" } };
    const { code, details } = await outcome(clientOf(peer), GEO.Locate);
    expect(code).to.equal(PERMISSION_DENIED);
    expect(details).to.include("none of this deployment's services");
  });

  const authority = internalAuthority();
  for (const { what, reason, connect } of refusedClients(authority, "h2"))
    it(`refuses ${what}, and says why in the log`, async () => {
      const socket = connect(port.port);
      await new Promise((resolve) => socket.resume().once("close", resolve));
      await waitFor("the log line", () => port.lines.length > 0, DEADLINE_MS);
      expect(port.lines[0]).to.include({ msg: "TLS connection refused", port: "gRPC", reason });
      const metric = await port.registry.getSingleMetric("geolookup_grpc_refusals_total")?.get();
      expect(metric?.values.find(({ labels }) => labels.reason === "tls")?.value).to.equal(1);
    });

  it("is refused by clients that expect another service, or trust another CA", async () => {
    for (const target of [`127.0.0.1:${port.port}`, `dns:///localhost:${port.port}`, `ipv4:127.0.0.1:${port.port}`]) {
      const { code, details } = await outcome(clientOf(as("gateway", "geo"), target), GEO.Locate);
      expect(code).to.equal(UNAVAILABLE);
      expect(details).to.include("the server's certificate isn't geo's");
      expect((await outcome(clientOf(as("gateway"), target), GEO.Locate)).code).to.equal(OK);
    }
    const stranger = opened.use(await startSecurePort("auth", SERVICES, { settings: otherDeploymentSettings("auth") }));
    const { details } = await outcome(clientOf(as("gateway"), `127.0.0.1:${stranger.port}`), GEO.Locate);
    expect(details).to.match(/self-signed certificate|unable to (get|verify)/);
  });
});
