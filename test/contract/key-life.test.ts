import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { sendFrom } from "../harness/cluster-health.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord, limitHeaders } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

/** A change takes effect within a second of the command. */
const CHANGE_DEADLINE_MS = 5_000;
/** Until a key of these tests expires: a test uses it before that. */
const LIFETIME_MS = 3_000;
const ELSEWHERE = { Origin: "https://evil.test" };

onEveryDeployment("contract 3: keys without an active record", (deployment) => {
  const send = (key: IssuedKey, headers: Record<string, string> = {}) =>
    deployment().send({ ...keyed(key.key), headers });
  /** By one gateway, where quotas are exact. */
  const sendToOne = (key: IssuedKey) => sendFrom(deployment().url, freshIpv4(), keyed(key.key));
  const becomes = (status: number, key: IssuedKey) =>
    waitFor(`${status}`, async () => (await send(key)).status === status, CHANGE_DEADLINE_MS + LIFETIME_MS);
  let customers = 0;
  const newCustomer = async (...options: string[]) => {
    customers += 1;
    const id = `customer-${customers}`;
    await deployment().customers("add", id, "--plan", "paid", ...options);
    return id;
  };
  const inLifetime = () => new Date(Date.now() + LIFETIME_MS).toISOString();

  /** How a key ends, what its message says, and what revives it, if anything does. */
  const ENDINGS: readonly (readonly [
    name: string,
    end: (key: IssuedKey) => Promise<unknown>,
    says: RegExp,
    revive?: (key: IssuedKey) => Promise<unknown>,
  ])[] = [
    [
      "expired",
      ({ keyId }) => deployment().keys("expire", keyId, inLifetime()),
      /expired on \d{4}-\d\d-\d\d at \d\d:\d\d UTC/,
      ({ keyId }) => deployment().keys("expire", keyId, "never"),
    ],
    [
      "disabled",
      ({ keyId }) => deployment().keys("disable", keyId),
      /was disabled on \d{4}-\d\d-\d\d at \d\d:\d\d UTC/,
      ({ keyId }) => deployment().keys("enable", keyId),
    ],
    [
      "rotated out",
      ({ keyId }) => deployment().keys("rotate", keyId, "--overlap", "0"),
      /was replaced by a new key, and ended on \d{4}-\d\d-\d\d at \d\d:\d\d UTC/,
    ],
  ];
  for (const [name, end, says, revive] of ENDINGS)
    it(`${name}: unknown_key, before the origin and the quota, until it is revived or revoked`, async function () {
      this.timeout(30_000);
      const [key, closed] = await Promise.all([
        deployment().issueKey(),
        deployment().issueKey({ plan: "closed", origins: ["https://app.example.com"] }),
      ]);
      expectRecord(await send(key));
      expectError(await send(closed, ELSEWHERE), "origin_not_allowed", deployment());
      await Promise.all([end(key), end(closed)]);
      await becomes(401, key);
      await waitFor("the other key's end", async () => (await send(closed)).status === 401, CHANGE_DEADLINE_MS);
      for (const response of [await send(key), await send(closed, ELSEWHERE)])
        expect(expectError(response, "unknown_key", deployment())).to.match(says);
      if (revive) {
        await revive(key);
        await becomes(200, key);
      }
      await deployment().keys("revoke", key.keyId);
      await waitFor(
        "the revocation",
        async () => ((await send(key)).json as { error?: { code: string } }).error?.code === "revoked_key",
        CHANGE_DEADLINE_MS,
      );
    });

  it("a disabled customer: unknown_key for all its keys, until it is enabled", async () => {
    const customer = await newCustomer();
    const [first, second, other] = await Promise.all([
      deployment().issueKey({ customer }),
      deployment().issueKey({ customer }),
      deployment().issueKey(),
    ]);
    for (const key of [first, second, other]) expectRecord(await send(key));
    await deployment().customers("disable", customer);
    for (const key of [first, second]) {
      await becomes(401, key);
      expect(expectError(await send(key), "unknown_key", deployment()))
        .to.match(/was disabled on/)
        .and.not.include(customer);
    }
    expectRecord(await send(other));
    await deployment().customers("enable", customer);
    for (const key of [first, second]) await becomes(200, key);
  });

  it("a rotated key works until the overlap is over, and shares its quota with its successor", async function () {
    this.timeout(30_000);
    const rotated = await deployment().issueKey({ plan: "tiny" });
    expect(limitHeaders(await sendToOne(rotated))).to.include({ limit: 5, remaining: 4 });
    const successor: IssuedKey = await deployment().keys("rotate", rotated.keyId, "--overlap", "1h");
    await waitFor("the successor", async () => (await sendToOne(successor)).status === 200, CHANGE_DEADLINE_MS);
    const { remaining } = limitHeaders(await sendToOne(rotated));
    expect(limitHeaders(await sendToOne(successor))).to.include({ limit: 5, remaining: remaining - 1 });
    for (let left = remaining - 1; left > 0; left -= 1) await sendToOne(left % 2 === 0 ? rotated : successor);
    for (const key of [rotated, successor]) expectError(await sendToOne(key), "quota_exceeded", deployment());
    expect(expectError(await sendToOne(successor), "quota_exceeded", deployment())).to.include("share one quota");
  });

  it("the keys of a customer share its quota exactly, and a key that joins counts there from the next month", async function () {
    this.timeout(30_000);
    const customer = await newCustomer("--quota", "60");
    const keys = await Promise.all([1, 2, 3].map(() => deployment().issueKey({ customer })));
    const joining = await deployment().issueKey({ plan: "hundred" });
    const responses = await Promise.all(
      Array.from({ length: 90 }, (_, index) => sendToOne(keys[index % keys.length] as IssuedKey)),
    );
    const served = responses.filter(({ status }) => status === 200);
    const remaining = served.map((response) => limitHeaders(response).remaining).sort((a, b) => a - b);
    expect(remaining).to.deep.equal(Array.from({ length: 60 }, (_, left) => left));
    const [refused] = responses.filter(({ status }) => status === 429);
    if (!refused) throw new Error("no request was refused");
    expect(limitHeaders(refused)).to.include({ limit: 60, remaining: 0 });
    expect(expectError(refused, "quota_exceeded", deployment()))
      .to.match(/share one quota/)
      .and.not.include(customer);
    await deployment().keys("set-customer", joining.keyId, customer);
    expect(limitHeaders(await sendToOne(joining))).to.include({ limit: 100, remaining: 99 });
  });
});
