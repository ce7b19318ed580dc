import { randomUUID } from "node:crypto";
import type { NatsLink } from "@geolookup/shared/runtime/nats/connection.ts";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import type { ClusterAdmin } from "../harness/cluster-admin.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { expectCountsMatch, expectRecovered, sendFrom } from "../harness/cluster-health.ts";
import { linkToNats } from "../harness/cluster-nats.ts";
import type { ClusterParts } from "../harness/cluster-parts.ts";
import { send } from "../harness/http.ts";
import type { LoadKey } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";

const GATEWAYS = ["gateway-1", "gateway-2"];
const SEEN_MS = 5_000;
const SET_ASIDE = /^geolookup_(?:key|usage)_log_messages_set_aside_total (\d+)$/gm;

const TITLE = "issue: a poisoned message on either stream is set aside, counted and logged; the rest is processed";

onBusyCluster(TITLE, { isShared: true }, (busy) => {
  let cluster: ClusterParts;
  let admin: ClusterAdmin;
  let nats: NatsLink;
  let known: LoadKey;
  before(() => {
    ({ cluster, admin, known } = busy());
    nats = linkToNats(cluster.part("nats"));
  });
  after(() => nats?.[Symbol.asyncDispose]());

  const publish = async (subject: string, message: string | object) => {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    const jetStream = await (await nats.connected()).jetStream(2_000);
    await jetStream.publish(subject, Buffer.from(text, "latin1"));
  };
  /** The number of messages that a process has set aside, from its metrics. */
  const poisoned = async (part: string) => {
    const { text } = await send(cluster.part(part).opsUrl ?? "", { path: "/metrics" });
    const lines = [...text.matchAll(SET_ASIDE)];
    expect(lines, `${part} counts them`).to.not.be.empty;
    return lines.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const linesAbout = (part: string) =>
    cluster
      .output()
      .split("\n")
      .filter((line) => line.startsWith(`${part} `) && line.includes("set aside")).length;
  /** Waits until a process has counted that many more, and has logged each once. */
  const expectSetAside = async (part: string, before: number, count: number) => {
    await waitFor(`${part} to set ${count} aside`, async () => (await poisoned(part)) - before === count, SEEN_MS);
    expect(linesAbout(part), `lines of ${part}`).to.equal(await poisoned(part));
  };

  it("in the key log", async function () {
    this.timeout(30_000);
    const before = await poisoned("auth-1");
    const gatewaysBefore = await Promise.all(GATEWAYS.map(poisoned));
    const [key, other] = await Promise.all([admin.issueKey(), admin.issueKey()]);
    const event = { id: randomUUID(), keyId: other.keyId, version: 2, at: new Date().toISOString(), by: "test" };
    const messages: [subject: string, message: string | object][] = [
      [`keys.${key.keyId}`, "\x00\xff{ garbage"],
      [`keys.${other.keyId}`, { ...event, type: "KeyTeleported", data: {} }],
      [`keys.${other.keyId}`, { ...event, type: "KeyPlanChanged", version: "tomorrow", data: { plan: "free" } }],
      [`keys.${other.keyId}`, { ...event, type: "KeyRevoked", data: { reason: "a field too many", until: "later" } }],
      ["keys.nobody", "{}"],
    ];
    for (const [subject, message] of messages) await publish(subject, message);
    await expectSetAside("auth-1", before, messages.length);

    for (const [index, part] of GATEWAYS.entries())
      await expectSetAside(part, gatewaysBefore[index] ?? 0, messages.length);
    const future = { ...event, id: randomUUID(), type: "KeyPlanChanged", version: 1_000_000, data: { plan: "free" } };
    await publish(`keys.${other.keyId}`, future);
    for (const url of cluster.gatewayUrls)
      for (const { key: text } of [key, other]) {
        const { status, json } = await sendFrom(url, freshIpv4(), keyed(text));
        expect({ status, isPaid: "city" in json }, "the key is as it was").to.deep.equal({ status: 200, isPaid: true });
      }
    for (const { keyId } of [key, other]) await admin.revoke(keyId);
    const revoked = async () => {
      for (const url of cluster.gatewayUrls)
        for (const { key: text } of [key, other])
          if ((await sendFrom(url, freshIpv4(), keyed(text))).status !== 401) return false;
      return true;
    };
    await waitFor("the keys to be changed after all", revoked, 1_000);
    await cluster.part("auth-1").stop();
    await cluster.part("auth-1").start();
    await expectRecovered(cluster, admin, known);
    expect(await revoked(), "after auth has reread everything").to.equal(true);
  });

  it("in the usage log", async function () {
    this.timeout(30_000);
    const before = await poisoned("usage-1");
    const key = await admin.issueKey();
    const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const messages: [subject: string, message: string | object][] = [
      [`usage.${day}.poison.0`, "\x00\xff{ garbage"],
      [`usage.${day}.poison.1`, { type: "usage-of-tomorrow", version: 1, counts: { [key.keyId]: 999 } }],
      [`usage.${day}.poison.2`, { type: "usage", version: 1_000, counts: { [key.keyId]: 999 } }],
      [`usage.${day}.poison.3`, { type: "usage", version: 1, counts: { [key.keyId]: -1 } }],
      ["usage.never.poison.x", { type: "usage", version: 1, counts: { [key.keyId]: 999 } }],
    ];
    for (const [subject, message] of messages) await publish(subject, message);
    await expectSetAside("usage-1", before, messages.length);
    for (const url of cluster.gatewayUrls) {
      key.sent += 1;
      if ((await sendFrom(url, freshIpv4(), keyed(key.key))).status === 200) key.served += 1;
    }
    expect(key.served).to.equal(2);
    await expectCountsMatch(cluster, admin, [key], true);
    await cluster.part("usage-1").stop();
    await cluster.part("usage-1").start();
    await expectCountsMatch(cluster, admin, [key], true);
  });
});
