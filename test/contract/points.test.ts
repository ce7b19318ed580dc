import { expect } from "chai";
import { ALLOWED_ORIGIN, type SmokeKeys } from "../../scripts/smoke/keys.ts";
import { type Expectation, POINTS } from "../../scripts/smoke/points.ts";
import { expectError, expectPreflight, expectRecord } from "../harness/expect-response.ts";
import type { HttpResponse } from "../harness/http.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { unrecordedKey } from "../harness/unrecorded-key.ts";
import { waitFor } from "../harness/wait-for.ts";

onEveryDeployment("contract: every check of ./geolookup smoke", (deployment) => {
  let keys: SmokeKeys;
  before(async function () {
    this.timeout(30_000);
    const publishable = { kind: "publishable", plan: "free" } as const;
    const [paid, free, restricted, revoked, unknown] = await Promise.all([
      deployment().sharedKey(),
      deployment().sharedKey(publishable),
      deployment().sharedKey({ ...publishable, origins: [ALLOWED_ORIGIN] }),
      deployment().issueKey(),
      unrecordedKey(),
    ]);
    await deployment().keys("revoke", revoked.keyId);
    keys = {
      paid: () => paid.key,
      free: () => free.key,
      restricted: () => restricted.key,
      revoked: () => revoked.key,
      unknown: () => unknown.key,
      small: () => {
        throw new Error("no point uses up a quota");
      },
    };
  });

  for (const { section, says, request, expected, withinMs } of POINTS)
    it(`${section}: ${says}`, async () => {
      const send = () => deployment().send(request(keys));
      const response =
        withinMs === undefined
          ? await send()
          : await waitFor(says, async () => ((await send()).status === 200 ? false : send()), withinMs);
      expectPoint(response, expected);
    });

  function expectPoint(response: HttpResponse, expected: Expectation): void {
    if (expected.kind === "preflight") expectPreflight(response);
    else if (expected.kind === "record") {
      const { partial: _, ...record } = expectRecord(response);
      if (expected.fields) expect(record).to.have.all.keys([...expected.fields]);
    } else {
      const message = expectError(response, expected.code, deployment());
      for (const text of expected.mentions?.(keys) ?? []) expect(message).to.include(text);
      if (expected.hides) expect(message).to.not.include(expected.hides(keys));
    }
  }
});
