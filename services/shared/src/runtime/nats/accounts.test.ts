import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, setUpNats, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { type NatsUser, secureStores } from "../../../../../test/harness/secure-stores.ts";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { openJetStreamKeyFeed } from "../../logs/keys/jetstream/feed.ts";
import { openJetStreamKeyLog } from "../../logs/keys/jetstream/key-log.ts";
import { collector, keyEvent } from "../../logs/keys/key-log.suite.ts";
import { openJetStreamUsageLog } from "../../logs/usage/jetstream/usage-log.ts";
import { openNats } from "./connection.ts";

const LINK_STREAMS = fileURLToPath(new URL("../../../../../infra/nats/link-streams.sh", import.meta.url));
const DEADLINE_MS = 8_000;
const STREAMS = ["IDEMPOTENCY", "KEYS", "KEY_MARKS", "OPERATORS", "AUDIT", "USAGE", "USAGE_MONTHS"];
const SERVICES = ["gateway", "auth", "usage"] as const;

/** What each service may publish, and where the others' messages are. */
const SUBJECTS = {
  gateway: "usage.20200101.instance.0",
  auth: "keys.k1",
  usage: "usage-months.202610.3",
};
const ALL_SUBJECTS = [...Object.values(SUBJECTS), "key-marks.a", "operators.a", "audit.a", "idempotency.a"];
/** Which of these the service may write to anyway. */
const OWN: Record<(typeof SERVICES)[number], string[]> = {
  gateway: [SUBJECTS.gateway],
  auth: [SUBJECTS.auth, "key-marks.a", "operators.a", "audit.a", "idempotency.a"],
  usage: [SUBJECTS.usage],
};

/** The configuration with the port of the container's health check. */
function withHealth(config: string): string {
  const path = `${config}.health`;
  writeFileSync(path, `include "${basename(config)}"\nhttp: "127.0.0.1:-1"\n`);
  return path;
}
async function healthOf({ folder, pid }: NatsServer): Promise<unknown> {
  const ports = JSON.parse(readFileSync(join(folder, "ports", `nats-server_${pid}.ports`), "utf8"));
  return (await fetch(`${ports.monitoring[0]}/healthz`)).json();
}

describe("NATS accounts (infra/nats/accounts.conf)", () => {
  const { nats: stores } = secureStores();
  let opened = new AsyncDisposableStack();
  let server: NatsServer;
  let lines: { level: number; msg: string }[] = [];
  before(async () => {
    server = await startNatsServer({ config: stores.config, environment: stores.environment });
    await setUpNats(server.url, true, "setup");
  });
  after(() => server.stop());
  afterEach(async () => {
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
    lines = [];
  });

  const link = (user: NatsUser, url = server.url) => {
    const { NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = stores.settingsOf(user);
    const access = { user, password: stores.passwordOf(user), caFile, certFile, keyFile };
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    return opened.use(openNats({ url, access, name: user, log }));
  };
  const as = async (user: NatsUser) => (await link(user).connected()).raw;
  /** A service's own logs, as it opens them. */
  const logsOf = (user: NatsUser, url = server.url) => {
    const options = { nats: link(user, url), replicas: 1, log: pino({ level: "silent" }), registry: new Registry() };
    return {
      keys: async () => opened.use(await openJetStreamKeyLog(options)),
      feed: () => openJetStreamKeyFeed(options),
      usage: async () => {
        await options.nats.connected();
        return opened.use(openJetStreamUsageLog(options));
      },
    };
  };
  const serve = async (url: string) => {
    const { follower } = collector();
    const keys = await logsOf("auth", url).keys();
    await keys.follow(follower);
    const seen: string[] = [];
    opened.use(
      logsOf("gateway", url)
        .feed()
        .follow({
          reset: () => seen.push("reset"),
          complete: () => {},
          event: ({ keyId }) => seen.push(keyId),
          live: (is) => is && seen.push("live"),
        }),
    );
    await waitFor("the feed", () => seen.includes("live"), DEADLINE_MS);
    const event = keyEvent(`k${Date.now()}`, 1);
    await keys.append(event);
    await waitFor("the event", () => seen.includes(event.keyId), DEADLINE_MS);
    expect((await keys.eventsOf(event.keyId)).map(({ id }) => id)).to.deep.equal([event.id]);
    const [gateway, usage] = [await logsOf("gateway", url).usage(), await logsOf("usage", url).usage()];
    await gateway.publish({ day: "2026-05-02", instanceId: "boot1", shard: 1 }, new Map([[event.keyId, 3]]));
    await usage.publishMonth({ month: "2026-04", shard: 1, totals: new Map([[event.keyId, 7]]) });
    const counts: unknown[] = [];
    await usage.follow(
      (day) => void counts.push(day.counts.get(event.keyId)),
      (month) => void counts.push(month.totals.get(event.keyId)),
    );
    expect(counts).to.include.members([3, 7]);
    return event.keyId;
  };
  /** What every stream has, apart from subjects that the user may write to. */
  const contents = async (user: (typeof SERVICES)[number]) => {
    const manager = await jetstreamManager(await as("operator"));
    const found: unknown[] = [];
    for (const name of STREAMS) {
      const { config, state, created } = await manager.streams.info(name, { subjects_filter: ">" });
      const subjects = Object.entries(state.subjects ?? {}).filter(([subject]) => !OWN[user].includes(subject));
      found.push({ config, created, subjects, consumers: 0 });
      for (const [subject] of subjects)
        found.push((await manager.streams.getMessage(name, { last_by_subj: subject }))?.seq);
    }
    return found;
  };
  const outcome = (request: Promise<unknown>) =>
    request.then(
      () => "done",
      (error: Error) => error.message,
    );

  it("let each service do its work, without a warning", async () => {
    await serve(server.url);
    expect(lines.filter(({ level }) => level >= 40)).to.deep.equal([]);
  });

  it("a service receives nothing of another", async () => {
    const received: string[] = [];
    for (const user of SERVICES)
      (await as(user)).subscribe(">", { callback: (_, { subject }) => void received.push(`${user}: ${subject}`) });
    const operator = jetstream(await as("operator"));
    for (const subject of ALL_SUBJECTS) await operator.publish(subject, "{}");
    expect(received.filter((subject) => !subject.includes("_INBOX"))).to.deep.equal([]);
  });

  describe("with a service's password, nothing else can be written:", () => {
    before(async () => {
      const operator = jetstream(await as("operator"));
      for (const subject of ALL_SUBJECTS) await operator.publish(subject, "{}");
      await opened.disposeAsync();
      opened = new AsyncDisposableStack();
    });
    const attacks: [
      what: string,
      attack: (connection: NatsConnection, user: (typeof SERVICES)[number]) => Promise<void>,
    ][] = [
      [
        "by a publish",
        async (connection) => {
          for (const subject of ALL_SUBJECTS) connection.publish(subject, "evil");
        },
      ],
      [
        "by the reply subject of a publish",
        async (connection, user) => {
          const targets = [...ALL_SUBJECTS, "$JS.API.STREAM.PURGE.USAGE", "$JS.API.STREAM.DELETE.KEYS", "keys.new"];
          for (const reply of targets) for (const subject of OWN[user]) connection.publish(subject, "evil", { reply });
        },
      ],
      [
        "by the reply subject of a request to the API",
        async (connection) => {
          for (const api of ["geolookup.api", "$JS.API"])
            for (const stream of STREAMS)
              for (const reply of [...ALL_SUBJECTS, `geolookup.api.STREAM.UPDATE.${stream}`]) {
                connection.publish(`${api}.STREAM.INFO.${stream}`, "", { reply });
                connection.publish(`${api}.STREAM.MSG.GET.${stream}`, '{"seq":1}', { reply });
                connection.publish(`${api}.CONSUMER.CREATE.${stream}`, "{}", { reply });
              }
        },
      ],
      [
        "by a consumer's deliver subject, or the reply subject of a pull",
        async (connection) => {
          for (const stream of STREAMS)
            for (const target of [...ALL_SUBJECTS, "$JS.API.STREAM.PURGE.USAGE"]) {
              const create = (config: object) =>
                connection
                  .request(
                    `geolookup.api.CONSUMER.CREATE.${stream}`,
                    JSON.stringify({
                      stream_name: stream,
                      config: { ack_policy: "none", deliver_policy: "all", ...config },
                    }),
                    { timeout: 500 },
                  )
                  .then((message) => message.json<{ name?: string }>())
                  .catch(() => ({ name: undefined }));
              await create({ deliver_subject: target });
              const { name } = await create({});
              connection.publish(`geolookup.api.CONSUMER.MSG.NEXT.${stream}.${name}`, '{"batch":5}', { reply: target });
            }
        },
      ],
      [
        "by creating, changing, purging or deleting a stream",
        async (connection, user) => {
          const config = { name: "EVIL", subjects: ["evil"], republish: { src: ">", dest: "keys.>" } };
          for (const prefix of ["geolookup.api", "$JS.API"])
            for (const [verb, stream, body] of [
              ["CREATE", "EVIL", JSON.stringify(config)],
              ...STREAMS.flatMap((name) => [
                ["CREATE", name, JSON.stringify({ ...config, name })],
                ["PURGE", name, ""],
                ["DELETE", name, ""],
                ["MSG.DELETE", name, '{"seq":1}'],
                ["SNAPSHOT", name, '{"deliver_subject":"x"}'],
                ["RESTORE", name, "{}"],
                // Auth still sets the epoch of KEYS.
                ...(user === "auth" && name === "KEYS" ? [] : [["UPDATE", name, JSON.stringify({ ...config, name })]]),
              ]),
            ] as [string, string, string][]) {
              const response = await outcome(
                connection.request(`${prefix}.STREAM.${verb}.${stream}`, body, { timeout: 500 }).then((message) => {
                  if (message.json<{ error?: object }>().error) throw new Error("refused");
                }),
              );
              expect(response, `${verb} ${stream}`).to.not.equal("done");
            }
        },
      ],
    ];
    for (const [what, attack] of attacks)
      for (const user of SERVICES)
        it(`${user} ${what}`, async () => {
          const before = await contents(user);
          const connection = await as(user);
          await attack(connection, user);
          await connection.flush();
          // Whatever was published before this request has arrived.
          const operator = await jetstreamManager(await as("operator"));
          for (const name of STREAMS) await operator.streams.info(name);
          expect(await contents(user)).to.deep.equal(before);
          expect(await operator.streams.names().next()).to.have.members(STREAMS);
        });
  });

  it("after an upgrade, the streams are in the account through a link; users.conf still works, with a warning, and sees what was added", async () => {
    const store = tempFolder();
    const during = async (config: string, folder: string, work: (url: string) => Promise<void>) => {
      const versioned = await startNatsServer({ folder, config: withHealth(config), environment: stores.environment });
      await setUpNats(versioned.url, true, "setup");
      await work(versioned.url);
      expect(await healthOf(versioned)).to.deep.equal({ status: "ok" });
      await opened.disposeAsync();
      opened = new AsyncDisposableStack();
      await versioned.stop();
    };
    const added: string[] = [];
    const work = async (url: string) => {
      added.push(await serve(url));
      const keys = await logsOf("auth", url).keys();
      for (const keyId of added) expect(await keys.eventsOf(keyId), keyId).to.have.length(1);
      const jetStream = await (await link("auth", url).connected()).jetStream(DEADLINE_MS);
      for (const stream of ["OPERATORS", "AUDIT", "IDEMPOTENCY"]) {
        await jetStream.publish(`${stream.toLowerCase()}.a${added.length}`, "{}", { lastSubjectSequence: 0 });
        expect((await jetStream.streamInfo(stream)).state.messages, stream).to.equal(added.length);
      }
    };
    const warnings = () => lines.filter(({ msg }) => msg.includes("share an account"));
    const before = () => during(stores.usersConfig, store, work);
    const after = () => {
      execFileSync("sh", [LINK_STREAMS, store]);
      return during(stores.config, join(store, "accounts"), work);
    };
    await before();
    expect(warnings()).to.not.deep.equal([]);
    lines = [];
    await after();
    expect(warnings()).to.deep.equal([]);
    await before();
    await after();
    expect(added).to.have.length(4);
  }).timeout(60_000);
});
