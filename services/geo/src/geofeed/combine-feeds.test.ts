import { expect } from "chai";
import { addressOf } from "../testing/address-of.ts";
import { geofeedOf } from "../testing/geofeed-of.ts";

describe("several geofeeds", () => {
  const ours = "9.0.0.0/8,US,,Ours,\n9.8.7.0/24,US,,Ours,\n2a00:1450::/32,US,,Ours,\n";
  const theirs = "9.8.0.0/16,US,,Theirs,\n9.8.7.0/24,US,,Theirs,\n9.8.7.6,US,,Theirs,\n2a00:1450:1::/48,US,,Theirs,\n";
  const cities: Record<string, string | undefined> = {
    "9.1.1.1": "Ours",
    "9.8.1.1": "Theirs", // more specific
    "9.8.7.1": "Ours", // the same prefix: the first feed
    "9.8.7.6": "Theirs",
    "2a00:1450:1::1": "Theirs",
    "2a00:1450:2::1": "Ours",
    "8.8.8.8": undefined,
  };

  it("apply the longest prefix, then the first feed", async () => {
    const geofeed = await geofeedOf({ "ours.csv": ours, "theirs.csv": theirs });
    for (const [ip, city] of Object.entries(cities)) expect(geofeed.find(addressOf(ip))?.city, ip).to.equal(city);
    expect(geofeed.prefixes).to.equal(6);
  });

  it("tell which networks one correction applies to", async () => {
    const theirsToo = `${theirs}2a00:1450:7:1::/64,US,,Theirs,\n`;
    const geofeed = await geofeedOf({ "ours.csv": ours, "theirs.csv": theirsToo });
    const covered: Record<string, boolean> = {
      "8.255.255.255": true,
      "9.0.0.1": true,
      "9.8.6.255": true,
      "9.8.7.1": false,
      "9.8.7.6": false,
      "9.8.8.0": true,
      "255.255.255.255": true,
      "2a00:144f:ffff::1": true,
      "2a00:1450::1": true,
      "2a00:1450:1:2::1": true,
      "2a00:1450:7::1": false,
      "2a00:1450:7:1::1": false,
      "2a00:1450:8::1": true,
    };
    const covers = (ip: string, prefixLength: number) => geofeed.coversNetwork(addressOf(ip), prefixLength);
    for (const [ip, expected] of Object.entries(covered))
      expect(covers(ip, ip.includes(":") ? 48 : 24), ip).to.equal(expected);
    expect([covers("9.8.7.1", 27), covers("9.8.7.32", 27), covers("9.8.7.255", 27)]).to.deep.equal([false, true, true]);
  });

  it("list the matching prefixes of each feed, starting with the one that applies", async () => {
    const geofeed = await geofeedOf({ "ours.csv": ours, "theirs.csv": theirs });
    const matches = (ip: string) => geofeed.matches(addressOf(ip)).map(({ feed, prefix }) => `${feed} ${prefix}`);
    expect(matches("9.8.7.6")).to.deep.equal(["theirs.csv 9.8.7.6/32", "ours.csv 9.8.7.0/24"]);
    expect(matches("9.8.7.1")).to.deep.equal(["ours.csv 9.8.7.0/24", "theirs.csv 9.8.7.0/24"]);
    expect(matches("9.8.1.1")).to.deep.equal(["theirs.csv 9.8.0.0/16", "ours.csv 9.0.0.0/8"]);
    expect(matches("2a00:1450:1::1")).to.deep.equal(["theirs.csv 2a00:1450:1::/48", "ours.csv 2a00:1450::/32"]);
    expect(matches("8.8.8.8")).to.deep.equal([]);
    for (const ip of Object.keys(cities))
      expect(geofeed.matches(addressOf(ip))[0]?.correction, ip).to.equal(geofeed.find(addressOf(ip)) ?? undefined);
  });
});
