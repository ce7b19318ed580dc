import type { ErrorCode } from "../../scripts/smoke/contract.ts";
import { freshIpv4 } from "../harness/addresses.ts";
import { expectError } from "../harness/expect-response.ts";
import type { Sent } from "../harness/http.ts";
import { forged, keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { unrecordedKey } from "../harness/unrecorded-key.ts";
import { waitFor } from "../harness/wait-for.ts";

onEveryDeployment("contract: precedence of errors", (deployment) => {
  /** From an address whose hour is used up, with an origin that no key allows. */
  const wrong = { from: freshIpv4(), headers: { Origin: "https://evil.test" } };
  const usedUp: Record<string, string> = {};
  let unknown: string;
  before(async function () {
    this.timeout(30_000);
    unknown = unrecordedKey().key;
    const origins = ["https://app.example.com"];
    const [closed, limited] = await Promise.all([
      deployment().issueKey({ plan: "closed" }),
      deployment().issueKey({ plan: "closed", origins }),
      ...Array.from({ length: 60 }, () => deployment().send({ from: wrong.from })),
    ]);
    const revoked = await deployment().issueKey({ plan: "closed", origins });
    await deployment().keys("revoke", revoked.keyId);
    await waitFor("the revocation", async () => (await deployment().send(keyed(revoked.key))).status === 401, 5_000);
    Object.assign(usedUp, { closed: closed.key, limited: limited.key, revoked: revoked.key });
  });
  const expectCode = async (sent: Sent, code: ErrorCode) => {
    expectError(await deployment().send({ ...wrong, ...sent }), code, deployment());
  };

  it("404 comes before everything else", async () => {
    for (const key of ["", "nonsense", forged(usedUp.limited ?? ""), usedUp.revoked, usedUp.limited])
      await expectCode({ path: `/nowhere?key=${key}` }, "not_found");
    await expectCode({ path: `/v1/geo?key=nonsense`, method: "POST" }, "not_found");
  });

  it("then the key, in this order: malformed, bad_signature, unknown, revoked", async () => {
    await expectCode(keyed(""), "missing_key");
    await expectCode(keyed("nonsense"), "malformed_key");
    await expectCode(keyed(forged(usedUp.revoked ?? "")), "bad_signature");
    await expectCode(keyed(forged(unknown)), "bad_signature");
    await expectCode(keyed(unknown), "unknown_key");
    await expectCode(keyed(usedUp.revoked ?? ""), "revoked_key");
  });

  it("then the origin", async () => {
    await expectCode(keyed(usedUp.limited ?? ""), "origin_not_allowed");
  });

  it("then the limit or quota", async () => {
    await expectCode(keyed(usedUp.closed ?? ""), "quota_exceeded");
    await expectCode({}, "rate_limited");
  });
});
