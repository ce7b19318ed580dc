import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { oneLineOf } from "../testing/geo-data-on-disk.ts";
import {
  ASN,
  asnEdition,
  CITY,
  cityEdition,
  edition,
  type MaxmindFixture,
  openMaxmind,
  placelessFile,
} from "../testing/maxmind-fixture.ts";
import { rollBack } from "./rollback.ts";

describe("rollBack", () => {
  let maxmind: MaxmindFixture;
  beforeEach(async () => {
    maxmind = await openMaxmind();
    await maxmind.run();
    maxmind.editions[CITY] = cityEdition("20260628", "Secondtown");
    await maxmind.run({ refetch: "update" });
  });
  afterEach(() => maxmind[Symbol.asyncDispose]());

  const back = (to: string | null = null, takesLess = false) =>
    rollBack(maxmind.folder, { to, takesLess }, (line) => void maxmind.said.push(line));
  const inUse = () => maxmind.current().version;

  it("switches to the previous version, and says that it stays in use", async () => {
    await back();
    expect([inUse(), maxmind.city()]).to.deep.equal(["v1", "Firsttown"]);
    expect(maxmind.said.slice(-2).join("\n")).to.match(/now using v1 \(GeoLite2-City 20260620.*\n.*newer data than v2/);
    expect(maxmind.leftovers()).to.deep.equal([]);
  });

  it("survives a start and updates, with and without credentials", async () => {
    await back();
    const downloads = maxmind.server.downloads();
    await maxmind.run();
    expect(maxmind.said.at(-1)).to.match(/rolled back from v2/);
    await maxmind.runWithoutAccount("no");
    await maxmind.run({ refetch: "update" });
    await maxmind.run({ refetch: "update" });
    expect(maxmind.said.at(-1)).to.match(
      /the published version is the one that was rolled back with v2; the geo data in use stays v1/,
    );
    expect([inUse(), maxmind.city()]).to.deep.equal(["v1", "Firsttown"]);
    expect(maxmind.server.downloads()).to.equal(downloads);
  });

  it("ends when newer data of the rolled back part is available, but not of another part", async () => {
    await back();
    maxmind.editions[ASN] = asnEdition("20260629", "Second Net");
    await maxmind.run({ refetch: "update" });
    expect(inUse()).to.equal("v1");
    maxmind.editions[CITY] = cityEdition("20260630", "Thirdtown");
    await maxmind.run({ refetch: "update" });
    expect([inUse(), maxmind.city()]).to.deep.equal(["v3", "Thirdtown"]);
    expect(maxmind.current()).to.not.have.property("rolledBackFrom");
    expect(maxmind.versions()).to.deep.equal(["v1", "v3"]);
  });

  it("is undone by --to, and by --force", async () => {
    await back();
    await back("v2");
    expect(inUse()).to.equal("v2");
    expect(maxmind.current()).to.not.have.property("rolledBackFrom");
    await back("v1");
    await maxmind.run({ refetch: "force" });
    expect([inUse(), maxmind.city()]).to.deep.equal(["v3", "Secondtown"]);
  });

  it("reports a missing older or named version", async () => {
    await back();
    expect(await oneLineOf(back())).to.equal("there is no version before v1; the stored versions are v1, v2");
    expect(await oneLineOf(back("v7"))).to.equal('there is no version "v7"; the stored versions are v1, v2');
    expect(await oneLineOf(back("v1"))).to.equal("v1 is already in use; the stored versions are v1, v2");
    expect(await oneLineOf(rollBack(`${maxmind.folder}-none`, { to: null, takesLess: false }, () => {}))).to.match(
      /no version is stored/,
    );
  });

  it("refuses a version without places, unless forced", async () => {
    maxmind.editions[CITY] = edition(CITY, "20260629", placelessFile());
    await maxmind.run({ refetch: "force" });
    await back();
    expect(await oneLineOf(back("v3"))).to.match(/^v3 has no locations, unlike v2; .*--force/);
    expect(inUse()).to.equal("v2");
    await back("v3", true);
    expect(inUse()).to.equal("v3");
  });

  it("refuses a damaged version", async () => {
    writeFileSync(maxmind.pathOf("../v1/GeoLite2-City.mmdb"), "damaged");
    expect(await oneLineOf(back())).to.equal("v1 can't be used: GeoLite2-City.mmdb is missing or damaged");
    rmSync(maxmind.pathOf("../v1/GeoLite2-City.mmdb"));
    symlinkSync("/dev/zero", maxmind.pathOf("../v1/GeoLite2-City.mmdb"));
    expect(await oneLineOf(back())).to.equal("v1 can't be used: GeoLite2-City.mmdb is missing or damaged");
    expect(inUse()).to.equal("v2");
  });

  it("restores the file that names the version in use if it is missing or damaged", async () => {
    writeFileSync(`${maxmind.folder}/current.json`, "{");
    expect(await oneLineOf(back())).to.match(/doesn't say which version is in use; name one with --to/);
    await back("v2");
    expect([inUse(), maxmind.city()]).to.deep.equal(["v2", "Secondtown"]);
  });

  it("doesn't replace damaged data with a version that was rolled back", async () => {
    await back();
    writeFileSync(maxmind.pathOf("GeoLite2-City.mmdb"), "damaged");
    expect(await maxmind.failure()).to.match(
      /the one that was rolled back with v2, and GeoLite2-City\.mmdb .* is damaged; --force/,
    );
    expect(inUse()).to.equal("v1");
  });
});
