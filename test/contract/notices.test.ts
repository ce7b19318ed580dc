import { expect } from "chai";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import type { Sent } from "../harness/http.ts";
import { onEveryDeployment } from "../harness/suite.ts";

const VISITOR = "44.1.2.3";
const HOP = "51.7.0.9";

onEveryDeployment("X-Geolookup-Notice, for a response to another question than was probably meant", (deployment) => {
  let secret: IssuedKey;
  before(async () => {
    secret = await deployment().sharedKey({ kind: "secret" });
  });

  const noticeOf = async (sent: Sent) => {
    const response = await deployment().send(sent);
    expectRecord(response);
    return response.headers["x-geolookup-notice"];
  };
  const forwarding = (entries: string, headers: Record<string, string> = {}) => ({
    headers: { ...headers, "X-Forwarded-For": entries },
    from: null,
  });

  it("X-Forwarded-For of a secret key that can't look up visitors", async () => {
    const notice = await noticeOf(forwarding(`${VISITOR}, ${HOP}`, { "X-API-Key": secret.key }));
    expect(notice).to.equal(
      "X-Forwarded-For is ignored: this key can't look up visitors, so this is the sender's own location",
    );
    expect(await noticeOf(forwarding(HOP, { "X-API-Key": secret.key }))).to.equal(undefined);
  });

  it("a trusted proxy's X-Forwarded-For without a valid address", async () => {
    const notice = "the proxy's X-Forwarded-For has no valid address, so this is the proxy's own location";
    expect(await noticeOf(forwarding("unknown"))).to.equal(notice);
    expect(await noticeOf(forwarding(`unknown, ${HOP}`))).to.equal(undefined);
  });

  it("query parameters of other services", async () => {
    for (const [query, ignored] of [
      [`ip=${VISITOR}`, "ip"],
      ["apikey=x", "apikey"],
      ["api_key=x", "api_key"],
      ["token=x", "token"],
      ["lang=de", "lang"],
    ])
      expect(await noticeOf({ path: `/v1/geo?${query}` })).to.match(
        new RegExp(`^query parameter "${ignored}" is ignored: `),
      );
    expect(await noticeOf({ path: `/v1/geo?key=${secret.key}&fields=city&utm_source=a` })).to.equal(undefined);
  });

  it("a key in Authorization without Bearer", async () => {
    expect(await noticeOf({ headers: { Authorization: secret.key } })).to.equal(
      'Authorization is ignored: a key must follow the word "Bearer"',
    );
  });

  it("several of them, and unknown fields, in at most 200 bytes", async () => {
    const path = `/v1/geo?ip=${VISITOR}&fields=town,city,asn`;
    expect(await noticeOf({ path, headers: { Authorization: secret.key } })).to.equal(
      'Authorization is ignored: a key must follow the word "Bearer"; query parameter "ip" is ignored: a lookup is for the ' +
        'caller\'s own address; unknown field "town"; "city" is not in the free tier',
    );
  });
});
