import { readConfig } from "@geolookup/standalone/config.ts";
import { expect } from "chai";
import { RAINHAVEN_FREE } from "../fixtures/places.ts";
import { freshIpv4 } from "../harness/addresses.ts";
import type { Deployment } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { startStandalone } from "../harness/standalone.ts";

describe("DEV_ADDRESS", () => {
  let deployment: Deployment;
  before(async function () {
    this.timeout(30_000);
    deployment = await startStandalone({ DEV_ADDRESS: freshIpv4() });
  });
  after(() => deployment?.stop());

  it("stands in for callers on this machine, and says so", async () => {
    for (const headers of [{}, { "X-Forwarded-For": "127.0.0.9" }, { "X-Forwarded-For": "::1" }]) {
      const response = await deployment.send({ headers, from: null });
      expect(expectRecord(response)).to.deep.equal(RAINHAVEN_FREE);
      expect(response.headers["x-geolookup-notice"]).to.equal("DEV_ADDRESS stands in for your loopback address");
    }
  });

  it("stands in for no other caller", async () => {
    const response = await deployment.send({ headers: { "X-Forwarded-For": "10.1.2.3" }, from: null });
    expect(expectRecord(response)).to.include({ country: null, partial: true });
    expect(response.headers).to.not.have.property("x-geolookup-notice");
  });

  for (const [settings, message] of [
    [{ DEV_ADDRESS: "81.2.69.142", HOST: "0.0.0.0" }, /DEV_ADDRESS: is for development, and needs a HOST/],
    [{ DEV_ADDRESS: "81.2.69.142", HOST: "::" }, /DEV_ADDRESS: is for development/],
    [{ DEV_ADDRESS: "81.2.69.142", HOST: "geo.example.com" }, /DEV_ADDRESS: is for development/],
    [{ DEV_ADDRESS: "London" }, /DEV_ADDRESS: must be an IP address/],
  ] as const)
    it(`is refused: ${JSON.stringify(settings)}`, () => expect(() => readConfig(settings)).to.throw(message));

  for (const HOST of [undefined, "127.0.0.1", "127.0.0.2", "::1", "localhost"])
    it(`is accepted: HOST=${HOST}`, () => {
      const { publicPort } = readConfig({ DEV_ADDRESS: "2A00:0::1", ...(HOST !== undefined && { HOST }) });
      expect(publicPort.devAddress).to.equal("2a00::1");
    });
});
