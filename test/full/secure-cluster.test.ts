import { join } from "node:path";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { expectCountsMatch, expectRecovered, sendFrom } from "../harness/cluster-health.ts";
import { runOperation } from "../harness/operation.ts";
import { secureStores } from "../harness/secure-stores.ts";
import { tlsSettings } from "../harness/settings.ts";
import { keyed } from "../harness/slots.ts";
import { tempFolder } from "../harness/temp-folder.ts";

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
