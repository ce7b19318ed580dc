import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { filesIn, findTraces } from "../privacy/at-rest.ts";

const file = join(tempFolder(), "corrections.csv");
writeFileSync(file, "51.7.4.0/24,FR,,Rennes,\n51.7.0.0/16,DE,,,\n");

onOneDeploymentWith({ GEOFEED_FILE: file }, "console: looking an address up", (deployment) => {
  let operator: ConsoleClient;
  before(async () => {
    operator = consoleBrowser(deployment());
    await operator.signIn();
  });
  const lookUp = async (input: string | Record<string, string>) => {
    const fields = typeof input === "string" ? { address: input } : input;
    const { status, text, headers } = await operator.submit("/console/address", fields);
    const plain = text
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .replaceAll("&#39;", "'");
    return { status, plain, text, headers };
  };

  it("shows what each database has, and which geofeed corrects it by which prefix", async () => {
    const { status, plain } = await lookUp("51.7.4.9");
    expect(status).to.equal(200);
    expect(plain)
      .to.include("Record for 51.7.4.9 Rennes, FR, Europe/Paris, AS64501 Example Mist Telecom")
      .and.include("The geofeed corrections.csv corrects this address with its prefix 51.7.4.0/24 .")
      .and.match(/city\.mmdb database, .*GB, /)
      .and.match(/asn\.mmdb database, .* AS64501 Example Mist Telecom/)
      .and.include("corrections.csv geofeed, applies 51.7.4.0/24 Rennes, FR, Europe/Paris");
    expect((await lookUp("44.15.200.1")).plain).to.include("No geofeed corrects this address.");
    expect((await lookUp("127.0.0.1")).plain).to.include("Nothing: it isn't a public address");
  });

  it("marks a located address on a map", async () => {
    const pin = /<svg class="world".*?<g class="pin" data-place="found" transform/s;
    expect((await lookUp("44.15.200.1")).text).to.match(pin);
    expect((await lookUp("127.0.0.1")).text).to.not.match(pin);
  });

  it("refuses what isn't an address, shows it harmlessly, and logs no address", async () => {
    const { status, plain } = await lookUp('<script>"');
    expect(status).to.equal(400);
    expect(plain).to.include("That isn't a valid IP address.");
    expect((await operator.submit("/console/address", { address: '"><script>alert(1)</script>' })).text).to.not.include(
      "<script>alert",
    );
  });

  it("shows where each field comes from, why a field is null, and which plan has it", async () => {
    const { plain } = await lookUp("44.15.200.1");
    expect(plain)
      .to.include("Responses are complete")
      .and.include("countryName United States city.mmdb free")
      .and.include("metroCode 819 city.mmdb paid")
      .and.include("asn 64500 asn.mmdb paid")
      .and.include("currency USD Derived from the country paid");
    expect((await lookUp("51.7.4.9")).plain)
      .to.include("city Rennes corrections.csv paid")
      .and.include("metroCode null Only used in the United States paid")
      .and.include("Responses with the paid fields have partial: true");
  });

  it("shows which address in a request is the caller's, also with another TRUST_PROXY", async () => {
    const request = { request: "1", peer: "127.0.0.1", forwardedFor: "6.6.6.6, 51.7.4.9", trustProxy: "loopback" };
    const { status, plain } = await lookUp(request);
    expect(status).to.equal(200);
    expect(plain)
      .to.include("The caller is 51.7.4.9")
      .and.include("51.7.4.9 isn't trusted, so it is the caller; entries to its left may be forged")
      .and.include("Record for 51.7.4.9 Rennes, FR");
    expect((await lookUp({ ...request, trustProxy: "none" })).plain).to.include("The caller is 127.0.0.1");
    for (const [name, value] of [
      ["peer", "localhost"],
      ["trustProxy", "everyone"],
    ] as const) {
      const { status: refusal, text } = await lookUp({ ...request, [name]: value });
      expect(refusal).to.equal(400);
      expect(text).to.match(new RegExp(`<input id="${name}"[^>]* aria-describedby="${name}-problem[^>]* aria-invalid`));
    }
  });

  it("stores and logs no address, and forbids caching pages with one", async () => {
    const address = "44.15.201.77";
    const { headers, text } = await lookUp(address);
    expect(headers["cache-control"]).to.equal("no-store");
    expect(text).to.include(address);
    await lookUp({ request: "1", peer: "127.0.0.1", forwardedFor: address, trustProxy: "loopback" });
    const found = [{ where: "the logs", text: deployment().output() }, ...filesIn(deployment().dataDir)];
    expect(found.some(({ where }) => where.endsWith("admin.json"))).to.equal(true);
    expect(findTraces(address, found)).to.deep.equal([]);
    const signedOut = consoleBrowser(deployment());
    const { status, headers: refused } = await signedOut.post("/console/address", { address });
    expect([status, refused.location]).to.deep.equal([303, "/console/sign-in"]);
    expect((await operator.post("/console/address", { address })).status, "without a form token").to.equal(403);
  });
});
