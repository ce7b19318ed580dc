import { join } from "node:path";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { latencyMs, type Seen, watchChange } from "../harness/cluster-change.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { expectCountsMatch, expectRecovered, sendFrom } from "../harness/cluster-health.ts";
import { onRedis } from "../harness/cluster-redis.ts";
import { runOperation } from "../harness/operation.ts";
import { secureStores } from "../harness/secure-stores.ts";
import { tlsSettings } from "../harness/settings.ts";
import { keyed } from "../harness/slots.ts";
import { tempFolder } from "../harness/temp-folder.ts";

/** How soon a change must reach every gateway. */
const REVOCATION_MS = 1_000;
const LIMIT = 60;

onBusyCluster(
  "a cluster with TLS on its public ports, and passwords and TLS on Redis and NATS",
  { secure: true, settings: tlsSettings() },
  (busy) => {
    it("returns complete records over TLS, and counts them exactly", async () => {
      const { cluster, admin, keys } = busy();
      for (const url of cluster.gatewayUrls) {
        expect(url).to.match(/^https:/);
        for (const key of keys) {
          key.sent += 1;
          const response = await sendFrom(url, freshIpv4(), keyed(key.key));
          expect(response.status).to.equal(200);
          key.served += 1;
        }
      }
      await expectCountsMatch(cluster, admin, keys, true);
    });

    it("shares the hourly limit: exactly 60 requests of one address succeed at two gateways, decided by Redis", async () => {
      const { cluster } = busy();
      const from = freshIpv4();
      const responses = await Promise.all(
        Array.from({ length: 2 * LIMIT }, (_, index) => sendFrom(cluster.gatewayUrls[index % 2] ?? "", from)),
      );
      expect(responses.filter(({ status }) => status === 200)).to.have.length(LIMIT);
      const callers = await onRedis(cluster.part("redis"), (client) => client.keys("glh2:*"));
      expect(callers).to.not.have.length(0);
    });

    it("revokes a key on every gateway within a second", async function () {
      this.timeout(20_000);
      const { cluster, admin } = busy();
      const { key, keyId } = await admin.issueKey();
      const isRevoked = ({ status }: Seen) => status === 401;
      const revoke = () => admin.revoke(keyId);
      const { gateways, changedMs } = await watchChange(cluster.gatewayUrls, `/v1/geo?key=${key}`, revoke, isRevoked);
      for (const seen of gateways) expect(latencyMs(seen, changedMs, isRevoked)).to.be.below(REVOCATION_MS);
    });

    it("can be backed up and verified by the operator", async function () {
      this.timeout(40_000);
      const { cluster } = busy();
      const backup = await runOperation(["backup", join(tempFolder(), "backup")], cluster);
      expect(backup).to.match(/[1-9]\d* key events/);
      expect(await runOperation(["usage", "verify"], cluster)).to.include("no difference");
    });

    it("recovers when Redis and NATS restart, after a stop or a kill", async function () {
      this.timeout(40_000);
      const { cluster, admin, known } = busy();
      await cluster.part("redis").kill();
      await cluster.part("nats").kill();
      await cluster.part("nats").start();
      await cluster.part("redis").start();
      await expectRecovered(cluster, admin, known);
    });

    it("logs no password, and violates no NATS permissions", () => {
      const output = busy().cluster.output();
      const { nats, redis } = secureStores();
      const passwords = (["gateway", "auth", "usage", "operator"] as const).map(nats.passwordOf);
      for (const password of [redis.password, ...passwords]) expect(output).to.not.include(password);
      expect(output).to.not.match(/does not permit|Permissions Violation/i);
    });
  },
);
