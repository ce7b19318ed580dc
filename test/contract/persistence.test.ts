import { expect } from "chai";
import { ONE_OF_EACH } from "../harness/cluster.ts";
import type { Deployment, IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord, limitHeaders } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryLightWay } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

onEveryLightWay("keys and quotas survive a restart", (start) => {
  const dataDir = tempFolder();
  let deployment: Deployment;
  let tiny: IssuedKey;
  let hundred: IssuedKey;
  let revoked: IssuedKey;

  const restart = async () => {
    deployment = await start({ ...ONE_OF_EACH, DATA_DIR: dataDir });
  };
  const spend = (key: IssuedKey, count: number) =>
    Promise.all(Array.from({ length: count }, () => deployment.send(keyed(key.key))));

  before(async function () {
    this.timeout(90_000);
    await restart();
    [tiny, hundred, revoked] = await Promise.all([
      deployment.issueKey({ plan: "tiny" }),
      deployment.issueKey({ plan: "hundred", label: "kept" }),
      deployment.issueKey(),
    ]);
    await deployment.keys("revoke", revoked.keyId, "--reason", "leaked");
  });
  after(async function () {
    this.timeout(40_000);
    await deployment?.stop();
  });

  it("keys, revocations and counts survive a stop and a start", async function () {
    this.timeout(90_000);
    for (const response of await spend(tiny, 3)) expectRecord(response);
    await deployment.stop();
    await restart();
    const response = await deployment.send(keyed(tiny.key));
    expectRecord(response);
    expect(limitHeaders(response)).to.include({ limit: 5, remaining: 1 });
    expectRecord(await deployment.send(keyed(tiny.key)));
    expectError(await deployment.send(keyed(tiny.key)), "quota_exceeded", deployment);
    expectError(await deployment.send(keyed(revoked.key)), "revoked_key", deployment);
    expect(await deployment.keys("show", hundred.keyId)).to.include({ label: "kept", status: "active" });
  });

  it("SIGKILL under load: every served request is counted, right up to the last, and none that was never sent", async function () {
    this.timeout(90_000);
    const key = await deployment.issueKey();
    let sent = 0;
    let served = 0;
    let killed = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!killed) {
        sent += 1;
        try {
          if ((await deployment.send(keyed(key.key))).status === 200) served += 1;
        } catch {
          // The connection was cut by the kill: this request may or may not have been counted.
        }
      }
    });
    await waitFor("hundreds of responses", () => served >= 300, 20_000);
    for (const response of await spend(hundred, 37)) expectRecord(response);
    await deployment.kill();
    killed = true;
    await Promise.all(clients);
    await restart();
    const { remaining } = limitHeaders(await deployment.send(keyed(key.key)));
    const counted = 1_000_000 - remaining - 1;
    expect(counted).to.be.within(served, sent);
    const response = await deployment.send(keyed(hundred.key));
    expect(limitHeaders(response)).to.include({ limit: 100, remaining: 100 - 37 - 1 });
    expectError(await deployment.send(keyed(tiny.key)), "quota_exceeded", deployment);
    expectError(await deployment.send(keyed(revoked.key)), "revoked_key", deployment);
  });

  it("the operator still sees the same count", async function () {
    this.timeout(20_000);
    const used = 100 - limitHeaders(await deployment.send(keyed(hundred.key))).remaining;
    await waitFor("the count", async () => (await deployment.keys("usage", hundred.keyId)).total === used, 10_000);
  });
});
