import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { createClient } from "@redis/client";
import { expect } from "chai";
import { callService } from "../../scripts/keys/admin-client.ts";
import type { LoadKey } from "../harness/load.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type Found, filesIn, findTraces, redisContents } from "../privacy/at-rest.ts";
import { ADDRESSES, sendEverything, UNPARSED } from "../privacy/send-everything.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { run, succeed } from "./harness/run.ts";
import { onCompose } from "./harness/suite.ts";

const SENDING_TIMEOUT_MS = 300_000;

describe("a caller's address isn't stored anywhere in a Compose cluster", () => {
  const cluster = onCompose("up", () => fixtureOptions({ LOG_LEVEL: "debug", ACCESS_LOG: "all", KEYLESS_LIMIT: "20" }));
  let keys: LoadKey[];
  let found: Found[];

  const sendAll = async () => {
    for (const from of ADDRESSES) await sendEverything(cluster().url, from, keys);
  };

  before("send addresses through everything, whole and broken", async function () {
    this.timeout(SENDING_TIMEOUT_MS);
    keys = [...(await cluster().issueKeys(2)), ...(await cluster().issueKeys(1, "closed"))];
    await revoke(keys[1]?.keyId ?? "");
    await sendAll();
    // Services log more while others are down.
    const broken = ["redis", "nats", "geo", "auth", "usage"];
    for (const service of broken) await cluster().compose("kill", service);
    await sendAll();
    await cluster().compose("start", ...broken);
    for (const service of broken) await cluster().healthy(service, 1);
    await sendAll();
    await waitFor(
      "usage to be recorded",
      async () => (await cluster().usedThisMonth(keys[0]?.keyId ?? "")) > 0,
      30_000,
    );
    const atRest = [...(await metrics()), ...(await redis())];
    // A killed gateway leaves its journal.
    await cluster().compose("kill", "gateway");
    found = [...atRest, ...(await logs()), ...(await volumes())];
  });

  async function revoke(keyId: string): Promise<void> {
    await callService(await cluster().addressOf("auth"), KEY_ADMIN.RevokeKey, { keyId, reason: "test" });
  }
  /** The output of all containers in the engine's logs. */
  async function logs(): Promise<Found[]> {
    return Promise.all(
      (await cluster().containers()).map(async ({ id, service }) => {
        const { stdout, stderr } = await run("docker", ["logs", id]);
        return { where: `the log of ${service}`, text: stdout + stderr };
      }),
    );
  }
  async function metrics(): Promise<Found[]> {
    const services = ["gateway", "auth", "geo", "usage", "portal"];
    const containers = await Promise.all(services.map((service) => cluster().healthy(service, 1)));
    return Promise.all(
      containers.flat().map(async (container) => ({
        where: `the metrics of ${container.service}`,
        text: await cluster().ops(container, "/metrics"),
      })),
    );
  }
  async function redis(): Promise<Found[]> {
    const [container] = await cluster().healthy("redis", 1);
    const password = readFileSync(join(cluster().secrets, "redis-password"), "utf8").trim();
    const { caFile, certFile, keyFile } = cluster().certificateOf("gateway");
    const [ca, cert, key] = [caFile, certFile, keyFile].map((path) => readFileSync(path, "utf8"));
    const tls = { tls: true, servername: "redis", ca, cert, key } as const;
    const client = createClient({ url: `rediss://${container?.address}:6379`, password, socket: tls });
    await client.connect();
    try {
      return await redisContents(client);
    } finally {
      client.destroy();
    }
  }
  /** A copy of every file in the volumes. */
  async function volumes(): Promise<Found[]> {
    const folder = tempFolder();
    const image = `${cluster().project}-tools`;
    for (const name of ["nats", "gateways", "geo-data"]) {
      mkdirSync(join(folder, name));
      const mounts = ["--volume", `${cluster().project}_${name}:/from:ro`, "--volume", `${join(folder, name)}:/to`];
      await succeed("docker", ["run", "--rm", "--user", "0", ...mounts, image, "cp", "-a", "/from/.", "/to"]);
    }
    return filesIn(folder);
  }

  for (const address of [...ADDRESSES, UNPARSED])
    it(`${address}: in no log, volume, metric or Redis key, in any notation or plain hash`, () => {
      expect(findTraces(address, found)).to.deep.equal([]);
    });

  it("the search covered logs, volumes, metrics and Redis", () => {
    const [log] = found.filter(({ where }) => where === "the log of gateway");
    const requests = log?.text.match(/"status":\d{3}/g) ?? [];
    expect(requests.length, "lines of the request log").to.be.at.least(ADDRESSES.length * 100);
    const places = found.map(({ where }) => where).join("\n");
    for (const place of [/Redis, /, /nats\/.*KEYS/, /nats\/.*USAGE/, /gateways\/.*\.journal/, /metrics of gateway/])
      expect(places).to.match(place);
    const readable = found.some(
      ({ where, text }) => /nats\/.*KEYS/.test(where) && text.includes(keys[0]?.keyId ?? "?"),
    );
    expect(readable, "NATS stores what can be read").to.equal(true);
  });

  it("no log, volume, metric or Redis key contains a key", () => {
    for (const { where, text } of found) for (const { key } of keys) expect(text.includes(key), where).to.equal(false);
  });
});
