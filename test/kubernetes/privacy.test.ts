import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { createClient } from "@redis/client";
import { expect } from "chai";
import { callService } from "../../scripts/keys/admin-client.ts";
import type { LoadKey } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type Found, filesIn, findTraces, redisContents } from "../privacy/at-rest.ts";
import { ADDRESSES, sendEverything, UNPARSED } from "../privacy/send-everything.ts";
import type { Pod } from "./harness/pods.ts";
import { onKubernetes } from "./harness/suite.ts";

const SETTINGS = { LOG_LEVEL: "debug", ACCESS_LOG: "all", KEYLESS_LIMIT: "20" };
const SERVICES = ["gateway", "auth", "geo", "usage", "portal"];
/** Stopped while requests are sent, because services then log more. */
const STOPPED = { "deployment/redis": 1, "deployment/geo": 2, "deployment/auth": 2, "deployment/usage": 2 };
const MAX_BYTES = 512 * 1_024 * 1_024;
/** Everything on disks that a container can write to: its root is read-only. tar ends with 1 if a file was being written. */
const WRITABLE_FILES = `tar --create --file - $(awk '$1 ~ "^/dev/" && $4 ~ "^rw" { print $2 }' /proc/mounts) || [ $? = 1 ]`;

describe("a caller's address isn't stored anywhere in a Kubernetes cluster", function () {
  this.timeout(900_000);
  const cluster = onKubernetes();
  let keys: LoadKey[];
  let found: Found[];

  before("send addresses through everything, whole and broken", async () => {
    await configure(SETTINGS);
    keys = [...(await cluster().issueKeys(2)), ...(await cluster().issueKeys(1, "closed"))];
    await callService(await cluster().addressOf("auth"), KEY_ADMIN.RevokeKey, {
      keyId: keys[1]?.keyId ?? "",
      reason: "test",
    });
    await sendAll();
    await cluster().kubectl("scale", "statefulset/nats", ...Object.keys(STOPPED), "--replicas=0");
    for (const service of ["nats", "redis", "geo", "auth", "usage"]) await cluster().ready(service, 0);
    await sendAll();
    for (const [workload, count] of Object.entries({ ...STOPPED, "statefulset/nats": 3 }))
      await cluster().kubectl("scale", workload, `--replicas=${count}`);
    await cluster().ready("nats", 3);
    for (const service of SERVICES) await cluster().ready(service, 2);
    await sendAll();
    const isRecorded = async () => (await cluster().usedThisMonth(keys[0]?.keyId ?? "")) > 0;
    await waitFor("usage to be recorded", isRecorded, 60_000);
    found = [...(await redis()), ...(await metrics()), ...(await pods()), ...(await objects()), ...etcd()];
  });
  after("restore the settings for other suites", () =>
    configure(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, null]))),
  );

  /** @param settings null stands for the default. */
  const configure = async (settings: Record<string, string | null>) => {
    await cluster().kubectl("patch", "cm", "settings", "--patch", JSON.stringify({ data: settings }));
    const workloads = ["statefulset/gateway", ...SERVICES.slice(1).map((name) => `deployment/${name}`)];
    await cluster().kubectl("rollout", "restart", ...workloads);
    for (const workload of workloads) await cluster().kubectl("rollout", "status", workload, "--timeout", "300s");
    for (const service of SERVICES) await cluster().ready(service, 2);
  };
  const sendAll = async () => {
    for (const from of ADDRESSES) await sendEverything(await cluster().url(), from, keys);
  };
  const kubectl = (...args: string[]) =>
    execFileSync("kubectl", ["--namespace", "geolookup", ...args], {
      encoding: "latin1",
      env: { ...process.env, ...cluster().environment },
      maxBuffer: MAX_BYTES,
      stdio: ["ignore", "pipe", "pipe"],
    });

  async function redis(): Promise<Found[]> {
    const [pod] = await cluster().ready("redis", 1);
    const password = readFileSync(join(cluster().secrets, "redis-password"), "utf8").trim();
    const client = createClient({ url: `redis://${pod?.address}:6379`, password });
    await client.connect();
    try {
      return await redisContents(client);
    } finally {
      client.destroy();
    }
  }
  async function metrics(): Promise<Found[]> {
    const all = await cluster().pods();
    const text = (pod: Pod) => cluster().ops(pod, "/metrics");
    return Promise.all(
      all
        .filter(({ component }) => SERVICES.includes(component))
        .map(async (pod) => ({ where: `the metrics of ${pod.name}`, text: await text(pod) })),
    );
  }
  /** Logs and writable files of every pod. */
  async function pods(): Promise<Found[]> {
    return (await cluster().pods()).flatMap(({ name, hasEnded }) => [
      { where: `the log of ${name}`, text: kubectl("logs", name) },
      ...(hasEnded
        ? []
        : [{ where: `the files of ${name}`, text: kubectl("exec", name, "--", "sh", "-c", WRITABLE_FILES) }]),
    ]);
  }
  /** Every object of the namespace, with its events. */
  function objects(): Found[] {
    const kinds = kubectl("api-resources", "--namespaced", "--verbs=list", "--output=name").trim().split("\n");
    return [{ where: "the API server", text: kubectl("get", kinds.join(","), "--output=json") }];
  }
  /** The files of etcd, if they are on this machine. */
  function etcd(): Found[] {
    const { ETCD_DATA_DIR } = process.env;
    return ETCD_DATA_DIR ? filesIn(ETCD_DATA_DIR) : [];
  }

  for (const address of [...ADDRESSES, UNPARSED])
    it(`${address}: in no log, file, metric, object or Redis key, in any notation or plain hash`, () => {
      expect(findTraces(address, found)).to.deep.equal([]);
    });

  it("the search covered logs, journals, NATS, Redis, and the cluster's own store", () => {
    const textOf = (where: RegExp) => found.flatMap((each) => (where.test(each.where) ? [each.text] : [])).join("\n");
    const requests = textOf(/the log of gateway/).match(/"status":\d{3}/g) ?? [];
    expect(requests.length, "lines of the request log").to.be.at.least(ADDRESSES.length * 100);
    expect(textOf(/the files of gateway/)).to.include(".journal");
    expect(textOf(/the files of nats/)).to.include(keys[0]?.keyId);
    for (const place of [/^Redis, /, /the metrics of gateway/]) expect(textOf(place)).to.not.equal("");
    for (const store of [/the API server/, ...(process.env.ETCD_DATA_DIR ? [/etcd/] : [])])
      expect(textOf(store)).to.include("journal-gateway-0");
  });

  it("none of them contains a key", () => {
    for (const { where, text } of found) for (const { key } of keys) expect(text.includes(key), where).to.equal(false);
  });
});
