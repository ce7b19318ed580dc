import { expect } from "chai";
import { type ErrorCode, STATUSES } from "../../scripts/smoke/contract.ts";
import { freshIpv4 } from "../harness/addresses.ts";
import { expectError } from "../harness/expect-response.ts";
import type { HttpResponse } from "../harness/http.ts";
import { forged, keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { unrecordedKey } from "../harness/unrecorded-key.ts";
import { waitFor } from "../harness/wait-for.ts";

/** `internal_error` needs a service in trouble: see overload.test.ts. */
const PROVOKED = Object.keys(STATUSES).filter((code) => code !== "internal_error") as ErrorCode[];

onEveryDeployment("contract 7: errors", (deployment) => {
  const responses: Partial<Record<ErrorCode, HttpResponse>> = {};
  before(async function () {
    this.timeout(30_000);
    const send = (sent: object) => deployment().send(sent);
    const from = freshIpv4();
    const [good, closed, revoked, strange] = await Promise.all([
      deployment().sharedKey({ kind: "publishable", origins: ["https://app.example.com"] }),
      deployment().issueKey({ plan: "closed" }),
      deployment().issueKey(),
      unrecordedKey(),
      ...Array.from({ length: 60 }, () => deployment().send({ from })),
    ]);
    await deployment().keys("revoke", revoked.keyId);
    responses.revoked_key = await waitFor(
      "the revocation",
      async () => {
        const response = await send(keyed(revoked.key));
        return response.status === 401 && response;
      },
      5_000,
    );
    responses.missing_key = await send(keyed(""));
    responses.malformed_key = await send(keyed("nonsense"));
    responses.bad_signature = await send(keyed(forged(good.key)));
    responses.unknown_key = await send(keyed(strange.key));
    responses.origin_not_allowed = await send({ ...keyed(good.key), headers: { Origin: "https://evil.test" } });
    responses.rate_limited = await send({ from });
    responses.quota_exceeded = await send(keyed(closed.key));
    responses.not_found = await send({ path: "/nowhere" });
  });

  for (const code of PROVOKED) {
    it(`${STATUSES[code]} ${code} has the JSON shape, CORS headers and a link to a page that explains it`, async () => {
      const response = responses[code];
      if (!response) throw new Error(`${code} was not provoked`);
      expectError(response, code, deployment());
      const { pathname } = new URL(response.json.error.docs);
      const page = await deployment().send({ path: pathname, host: deployment().docsHost });
      expect(page.status, page.text).to.equal(200);
      expect(page.headers["content-type"]).to.match(/^text\/html/);
      expect(page.text).to.include(code);
    });
  }

  it("every message names the problem and differs from the others", () => {
    const messages = PROVOKED.map((code) => responses[code]?.json.error.message as string);
    expect(new Set(messages).size).to.equal(messages.length);
    for (const message of messages) expect(message).to.not.match(/undefined|null|NaN|\[object/);
  });

  it("no message contains an address", () => {
    for (const code of PROVOKED) expect(responses[code]?.text).to.not.match(/\d+\.\d+\.\d+\.\d+/);
  });
});
