import { readFileSync } from "node:fs";
import { expect } from "chai";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { onEveryDeployment } from "../harness/suite.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

onEveryDeployment("console: the cluster page", (deployment, way) => {
  if (way === "standalone") {
    it("doesn't exist if one process runs every service", async () => {
      const operator = consoleBrowser(deployment());
      await operator.signIn();
      expect((await operator.get("/console")).text).to.not.match(/cluster/i);
      for (const path of ["/console/cluster", "/console/cluster/events"])
        expect((await operator.get(path)).status, path).to.equal(404);
    });
    return;
  }

  it("shows every process with its version, the age of its databases, its lag, and whether it has fallen back", async () => {
    const operator = consoleBrowser(deployment());
    await operator.signIn();
    const { text } = await operator.get("/console/cluster");
    const parts = text.split('<p class="process">').slice(1);
    const addresses = parts.map((part) => /<code>(.*?)<\/code>/.exec(part)?.[1]);
    expect(addresses).to.have.members(deployment().opsUrls.map((url) => new URL(url).host));
    for (const part of parts)
      expect(part).to.include(">ready<").and.include(`${version}, Node.js ${process.version}, up since`);
    const readings = [...text.matchAll(/<li>([^<]+)<\/li>/g)].map(([, reading]) => reading).join("\n");
    expect(readings).to.include("city.mmdb: ").and.include("asn.mmdb: ");
    expect(readings).to.match(/the oldest unpublished count is [\d.]+ s old/);
    expect(readings).to.include("the usage service is connected");
  });
});
