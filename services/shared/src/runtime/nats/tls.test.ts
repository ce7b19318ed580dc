import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { expect } from "chai";
import { pino } from "pino";
import { testAuthority } from "../../../../../test/harness/certificates.ts";
import { type NatsServer, setUpNats, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { secureStoreSuite } from "../../../../../test/harness/secure-store-suite.ts";
import { type NatsUser, secureStores } from "../../../../../test/harness/secure-stores.ts";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import type { NatsAccess } from "./access.ts";
import { natsConnectOptions } from "./connect-options.ts";
import { openNats } from "./connection.ts";
import { isPermissionDenied } from "./problems.ts";

const DEADLINE_MS = 8_000;

describe("NATS with users and TLS (infra/nats/users.conf)", () => {
  const { nats: stores } = secureStores();
  const environment = { ...stores.environment };
  let server: NatsServer;
  let opened = new AsyncDisposableStack();
  let lines: { level: number; msg: string; reason?: string; subject?: string }[];
  before(async () => {
    server = await startNatsServer({ config: stores.usersConfig, environment });
  });
  after(() => server.stop());
  beforeEach(() => {
    lines = [];
  });
  afterEach(async () => {
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
  });

  const accessOf = (user: NatsUser): NatsAccess => {
    const { NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = stores.settingsOf(user);
    return { user, password: stores.passwordOf(user), caFile, certFile, keyFile };
  };
  const open = (access: NatsAccess, url = server.url) => {
    const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    return opened.use(openNats({ url, access, name: access.user ?? "test", log }));
  };
  const reason = (shape: RegExp) =>
    waitFor(`the reason ${shape}`, () => lines.some((line) => shape.test(line.reason ?? "")), DEADLINE_MS);
  const as = async (user: NatsUser) => {
    const connection = await connect({
      ...natsConnectOptions(server.url, accessOf(user)),
      inboxPrefix: `_INBOX.${user}`,
    });
    opened.defer(() => connection.close());
    return connection;
  };

  it("a wrong password is logged once, without showing it, and retried until it is right", async () => {
    const link = open({ ...accessOf("gateway"), password: "wrong-s3cret" });
    await reason(/^NATS rejected the user or password.*NATS_USER/);
    expect(link.isUp()).to.equal(false);
    environment.NATS_GATEWAY_PASSWORD = "wrong-s3cret";
    await server.restart();
    await waitFor("the link", () => link.isUp(), DEADLINE_MS);
    environment.NATS_GATEWAY_PASSWORD = stores.passwordOf("gateway");
    await server.restart();
    expect(lines.filter(({ reason }) => /rejected/.test(reason ?? ""))).to.have.length(1);
    expect(JSON.stringify(lines)).to.not.include("s3cret");
  });

  it("a changed password file is used for the next connection", async () => {
    const passwordFile = join(tempFolder(), "password");
    writeFileSync(passwordFile, stores.passwordOf("usage"), { mode: 0o600 });
    const link = open({ ...accessOf("usage"), password: undefined, passwordFile });
    await link.connected();
    writeFileSync(passwordFile, "k-another-one");
    environment.NATS_USAGE_PASSWORD = "k-another-one";
    await server.restart();
    await waitFor(
      "another connection",
      () => lines.filter(({ msg }) => msg === "connected to NATS").length === 2,
      DEADLINE_MS,
    );
    environment.NATS_USAGE_PASSWORD = stores.passwordOf("usage");
    await server.restart();
    await reason(/rejected the user or password/);
  });

  secureStoreSuite({
    access: () => accessOf("auth"),
    open: async (access) => {
      const link = open(access);
      return { isUp: () => link.isUp(), logged: () => lines };
    },
    reasons: {
      wrongPassword: /^NATS rejected the user or password.*NATS_USER/,
      noPassword: /^NATS rejected the user or password.*NATS_USER/,
      certificate: /certificate.*NATS_CA_FILE/,
      clientCertificate: /certificate.*NATS_CERT_FILE/,
    },
  });

  it("a server without TLS is refused when TLS is required", async () => {
    const plain = await startNatsServer();
    open({ caFile: testAuthority().caFile }, plain.url);
    open({}, plain.url.replace("nats:", "tls:"));
    await waitFor("both refusals", () => lines.length === 2, DEADLINE_MS);
    for (const line of lines) expect(line.reason).to.match(/^NATS doesn't offer TLS/);
    await plain.stop();
  });

  it("a renewed client certificate is used for the next connection", async () => {
    const renewed = testAuthority().issue({ names: [] });
    const link = open({ ...accessOf("auth"), certFile: renewed.certFile, keyFile: renewed.keyFile });
    await link.connected();
    rmSync(renewed.certFile);
    await server.restart();
    await reason(/doesn't exist/);
    expect(link.isUp()).to.equal(false);
  });

  describe("permissions", () => {
    before(async () => {
      await setUpNats(server.url, true);
    });

    const refused = async (user: NatsUser, work: (connection: NatsConnection) => Promise<unknown>) => {
      const outcome = await work(await as(user)).then(
        () => "permitted",
        (error: unknown) => error,
      );
      expect(outcome, user).to.satisfy(isPermissionDenied);
    };
    const manager = (connection: NatsConnection) => jetstreamManager(connection, { checkAPI: false });

    it("a gateway and usage can't write to the key log, nor auth and usage to the usage log", async () => {
      for (const user of ["gateway", "usage"] as const)
        await refused(user, (connection) => jetstream(connection).publish("keys.k1", "{}"));
      for (const user of ["auth", "usage"] as const)
        await refused(user, (connection) => jetstream(connection).publish("usage.20260101.instance.1", "{}"));
    });

    it("no service can delete or purge the key log, and none can update it", async () => {
      for (const user of ["gateway", "auth", "usage"] as const) {
        await refused(user, async (connection) => (await manager(connection)).streams.delete("KEYS"));
        await refused(user, async (connection) => (await manager(connection)).streams.purge("KEYS"));
        await refused(user, async (connection) => (await manager(connection)).streams.deleteMessage("KEYS", 1));
      }
      for (const user of ["gateway", "auth", "usage"] as const)
        await refused(user, (connection) => connection.request("$JS.API.STREAM.UPDATE.KEYS", "{}"));
    });

    it("denied permissions are logged, once for each kind", async () => {
      const { raw: connection } = await open(accessOf("gateway")).connected();
      for (const keyId of ["k1", "k2"]) connection.publish(`keys.${keyId}`);
      connection.publish("elsewhere");
      await waitFor("the log", () => lines.some(({ subject }) => subject === "elsewhere"), DEADLINE_MS);
      expect(lines.filter(({ level }) => level === 50).map(({ subject }) => subject)).to.deep.equal([
        "keys.k1",
        "elsewhere",
      ]);
    });
  });
});
