import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const file = join(tempFolder(), "corrections.csv");
writeFileSync(file, "51.7.4.0/24,FR,,Rennes,\n51.7.0.0/16,DE,,,\n");

onOneDeploymentWith({ GEOFEED_FILE: file }, "console: looking an address up", (deployment) => {
  let operator: ConsoleClient;
  before(async () => {
    operator = consoleBrowser(deployment());
    await operator.signIn();
  });
  const lookUp = async (address: string) => {
    const { status, text } = await operator.submit("/console/address", { address });
    const plain = text
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .replaceAll("&#39;", "'");
    return { status, plain };
  };

  it("shows what each database has, and which geofeed corrects it by which prefix", async () => {
    const { status, plain } = await lookUp("51.7.4.9");
    expect(status).to.equal(200);
    expect(plain)
      .to.include("Response Rennes, FR, Europe/Paris, AS64501 Example Mist Telecom")
      .and.include("The geofeed corrections.csv corrects this address with its prefix 51.7.4.0/24 .")
      .and.match(/city\.mmdb database .*GB, /)
      .and.match(/asn\.mmdb database AS64501 Example Mist Telecom/)
      .and.include("corrections.csv geofeed, applies 51.7.4.0/24 Rennes, FR, Europe/Paris");
    expect((await lookUp("44.15.200.1")).plain).to.include("No geofeed corrects this address.");
    expect((await lookUp("127.0.0.1")).plain).to.include("Nothing: it isn't a public address");
  });

  it("refuses what isn't an address, shows it harmlessly, and logs no address", async () => {
    const { status, plain } = await lookUp('<script>"');
    expect(status).to.equal(400);
    expect(plain).to.include("That isn't a valid IP address.");
    expect((await operator.submit("/console/address", { address: '"><script>alert(1)</script>' })).text).to.not.include(
      "<script>alert",
    );
    expect(deployment().output()).to.not.include("51.7.4.9");
  });
});
