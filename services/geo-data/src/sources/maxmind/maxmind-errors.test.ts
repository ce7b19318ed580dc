import { expect } from "chai";
import { CITY, cityEdition, type MaxmindFixture, openMaxmind } from "../../testing/maxmind-fixture.ts";

describe("fetchGeoData from MaxMind, with error responses", () => {
  let maxmind: MaxmindFixture;
  beforeEach(async () => {
    maxmind = await openMaxmind();
    await maxmind.run();
    maxmind.editions[CITY] = cityEdition("20260628", "Secondtown");
  });
  afterEach(() => maxmind[Symbol.asyncDispose]());

  const respondToAll = (status: number, headers: Record<string, string> = {}) => {
    let requests = 0;
    maxmind.server.behavior.service = (_req, res) => {
      requests++;
      res.writeHead(status, headers).end("in words");
      return true;
    };
    return () => requests;
  };

  it("reports wrong credentials, and doesn't retry them", async () => {
    const asked = maxmind.server.asked.length;
    expect(await maxmind.refused({ licenseKey: "another_license_key" })).to.match(
      /does not accept MAXMIND_ACCOUNT_ID with MAXMIND_LICENSE_KEY \(401\)/,
    );
    expect(maxmind.server.asked).to.have.length(asked + 1);
  });

  it("waits as long as a 429 asks for, if that is short", async () => {
    let requests = 0;
    maxmind.server.behavior.service = (_req, res) => {
      if (requests++ > 0) return false;
      res.writeHead(429, { "retry-after": "0" }).end();
      return true;
    };
    await maxmind.run({ refetch: "update" });
    expect(maxmind.city()).to.equal("Secondtown");
  });

  for (const [what, retryAfter] of [
    ["seconds", "7200"],
    ["a date", "Wed, 01 Jul 2026 02:00:00 GMT"],
  ] as const)
    it(`says when to retry if a 429 asks for a long wait, in ${what}`, async () => {
      const requests = respondToAll(429, { "retry-after": retryAfter });
      expect(await maxmind.refused()).to.match(
        /responded with 429 and asks to wait; run it again after 2026-07-01T02:00:00\.000Z$/,
      );
      expect(requests()).to.equal(1);
    });

  it("doesn't wait forever if 429s keep asking for short waits", async () => {
    const requests = respondToAll(429, { "retry-after": "0" });
    expect(await maxmind.refused()).to.match(/run it again after 2026-07-01T00:00:00\.000Z$/);
    expect(requests()).to.equal(2);
  });

  it("treats a 429 without Retry-After as the daily limit", async () => {
    const requests = respondToAll(429);
    expect(await maxmind.refused()).to.match(/daily download limit is reached \(429\); try again tomorrow/);
    expect(requests()).to.equal(1);
  });
});
