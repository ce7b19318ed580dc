import { expect } from "chai";
import ipaddr from "ipaddr.js";
import { addressOf } from "../testing/address-of.ts";
import { geofeedOf } from "../testing/geofeed-of.ts";
import { type Geofeed, GeofeedError, type LineProblem } from "./geofeed.ts";
import { readGeofeed } from "./read-geofeed.ts";

async function read(text: string | Buffer): Promise<{ geofeed: Geofeed; problems: LineProblem[] }> {
  const problems: LineProblem[] = [];
  const geofeed = await geofeedOf(text, (problem) => problems.push(problem));
  return { geofeed, problems };
}
async function refusal(text: string | Buffer): Promise<string> {
  const error = await read(text).catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(GeofeedError);
  return (error as Error).message;
}

describe("a geofeed", () => {
  it("can have IPv4 and IPv6 prefixes; the longest applies, in any order", async () => {
    const { geofeed, problems } = await read(
      "9.8.7.0/24,US,US-WA,Seattle,\n9.8.7.6,DE,,Berlin,\n9.0.0.0/8,US,,,\n2a00::/16,FR,,,\n2a00:1450::/32,FR,FR-35,Rennes,\n",
    );
    expect(problems).to.deep.equal([]);
    expect(geofeed.prefixes).to.equal(5);
    const city = (ip: string) => geofeed.find(addressOf(ip))?.city;
    expect(["9.8.7.5", "9.8.7.6", "9.8.7.7"].map(city)).to.deep.equal(["Seattle", "Berlin", "Seattle"]);
    expect(["2a00:1450::1", "2a00:1451::1"].map(city)).to.deep.equal(["Rennes", null]);
    expect(["9.1.1.1", "2a00:1451::1"].map((ip) => geofeed.find(addressOf(ip))?.country)).to.deep.equal(["US", "FR"]);
    expect(["10.8.7.6", "8.255.255.255", "2a01::1", "2b00::"].map((ip) => geofeed.find(addressOf(ip)))).to.deep.equal([
      null,
      null,
      null,
      null,
    ]);
  });

  it("can exclude part of a prefix, and cover everything", async () => {
    const { geofeed } = await read("0.0.0.0/0,US\n9.8.0.0/16,,,,\n9.8.7.0/24,DE");
    expect(["1.2.3.4", "9.8.1.1", "9.8.7.1"].map((ip) => geofeed.find(addressOf(ip))?.country)).to.deep.equal([
      "US",
      null,
      "DE",
    ]);
    expect(geofeed.find(addressOf("9.8.1.1"))).to.not.equal(null);
    expect(geofeed.find(addressOf("2a00::1"))).to.equal(null);
  });

  for (const [name, text] of Object.entries({
    "a byte order mark": "\ufeff9.8.7.0/24,US,US-WA,Seattle,\n",
    "CRLF, blank lines and comments": "# prefix,country\r\n\r\n9.8.7.0/24,US,US-WA,Seattle,\r\n",
    "no end of its last line": "9.8.7.0/24,US,US-WA,Seattle,",
  }))
    it(`can have ${name}`, async () => {
      const { geofeed, problems } = await read(text);
      expect(problems).to.deep.equal([]);
      expect(geofeed.find(addressOf("9.8.7.1"))?.city).to.equal("Seattle");
    });

  for (const [name, end] of Object.entries({
    LF: "\n",
    CR: "\r",
    CRLF: "\r\n",
    NEL: "\u0085",
    LS: "\u2028",
    PS: "\u2029",
  }))
    it(`can have lines that end in ${name}`, async () => {
      const lines = ["# ours", "8.8.8.0/24,US,US-WA,Seattle,", "9.9.9.0/24,DE,DE-BE,Berlin,", "9.9.8.0/24,UK"];
      const { geofeed, problems } = await read(lines.join(end));
      expect(problems.map(({ line }) => line)).to.deep.equal([4]);
      const { city, postalCode } = geofeed.find(addressOf("8.8.8.8"))?.place ?? {};
      expect([city, postalCode, geofeed.find(addressOf("9.9.9.9"))?.city]).to.deep.equal(["Seattle", null, "Berlin"]);
    });

  it("applies lines like those of the largest feed of a VPN, without the regions that aren't codes, or skips them if strict", async () => {
    const lines = Buffer.from(
      "9.9.9.0/27,GB,GB-EN,London,\n9.9.9.34/31,GB,GB-NI,Belfast,\n9.9.9.36/31,GB,GB-WLS,Cardiff,\n",
    );
    const problems: LineProblem[] = [];
    const geofeed = await geofeedOf(lines, (problem) => problems.push(problem));
    expect(problems.map(({ line, skipped }) => [line, skipped])).to.deep.equal([
      [1, false],
      [2, false],
    ]);
    const places = ["9.9.9.1", "9.9.9.35", "9.9.9.36"].map((ip) => geofeed.find(addressOf(ip)));
    expect(places.map((found) => [found?.country, found?.regionCode, found?.city])).to.deep.equal([
      ["GB", null, "London"],
      ["GB", null, "Belfast"],
      ["GB", "WLS", "Cardiff"],
    ]);
    const strict: LineProblem[] = [];
    const feed = await readGeofeed(lines, (problem) => strict.push(problem), { isStrict: true });
    expect([feed.prefixes.values.size, strict.map(({ line, skipped }) => [line, skipped])]).to.deep.equal([
      1,
      [
        [1, true],
        [2, true],
      ],
    ]);
  });

  for (const text of ["", "\n\n", "# nothing yet\n", "\ufeff"])
    it(`can be empty: ${JSON.stringify(text)}`, async () => {
      const { geofeed, problems } = await read(text);
      expect([geofeed.prefixes, problems, geofeed.find(addressOf("9.8.7.1"))]).to.deep.equal([0, [], null]);
    });

  it("skips invalid lines, and reports each with its number and problem", async () => {
    const { geofeed, problems } = await read(
      [
        "# a comment",
        "9.8.7.0/24,US,US-WA,Seattle,",
        "9.8.6.1/24,US",
        "",
        "9.8.7.0/24,DE,,Berlin,",
        "9.8.5.0/24,XY",
        "9.8.4.0/24,US,US-DC,Washington, D.C.,20001",
        "seattle",
        "9.8.3.0/24,FR,,Rennes,",
        '9.8.2.0/24,"FR',
      ].join("\n"),
    );
    expect(problems.map(({ line, skipped }) => [line, skipped])).to.deep.equal([
      [3, true],
      [5, true],
      [6, true],
      [7, false],
      [8, true],
      [10, true],
    ]);
    const expected = [
      /has bits set/,
      /^line 2 has the same prefix, and counts$/,
      /country XY/,
      /after the fifth field/,
      /a prefix such as/,
      /quotation/,
    ];
    for (const [index, problem] of problems.entries()) expect(problem.text).to.match(expected[index] as RegExp);
    expect(JSON.stringify(problems)).to.not.match(/9\.8\./);
    expect(["9.8.7.1", "9.8.4.1", "9.8.3.1"].map((ip) => geofeed.find(addressOf(ip))?.city)).to.deep.equal([
      "Seattle",
      "Washington",
      "Rennes",
    ]);
    expect(["9.8.6.1", "9.8.5.1", "9.8.2.1"].map((ip) => geofeed.find(addressOf(ip)))).to.deep.equal([
      null,
      null,
      null,
    ]);
  });

  it("recognizes a prefix in any notation", async () => {
    const { problems } = await read("2a00:1450::/32,US\n2A00:1450:0:0::/32,DE\n9.8.7.6,US\n9.8.7.6/32,DE\n");
    expect(problems.map(({ text }) => text)).to.deep.equal([
      "line 1 has the same prefix, and counts",
      "line 3 has the same prefix, and counts",
    ]);
  });

  it("skips a line that isn't UTF-8", async () => {
    const { problems } = await read(Buffer.from("9.8.7.0/24,CH,,Z\xfcrich,\n9.8.6.0/24,CH", "latin1"));
    expect(problems.map(({ line, text }) => `${line} ${text}`)).to.deep.equal([
      "1 the city or the postal code has control characters or isn't UTF-8",
    ]);
  });

  it("is refused if no line is valid, because it must be another file", async () => {
    expect(await refusal("<html>\n<body>\n")).to.equal(
      "none of its lines can be used; line 1: this isn't a prefix such as 192.0.2.0/24 or 2001:db8::/32",
    );
    expect(await refusal(Buffer.from("\ufeff9.8.7.0/24,US", "utf16le"))).to.equal(
      "it is UTF-16 text; save it as UTF-8",
    );
  });

  it("is refused if it has too many prefixes", async () => {
    const lines = Buffer.from("9.8.7.0/24,US\n9.8.6.0/24,US\n9.8.5.0/24,US\n");
    const problems: LineProblem[] = [];
    await readGeofeed(lines, (problem) => problems.push(problem), { maxPrefixes: 3 });
    const error = await readGeofeed(lines, (problem) => problems.push(problem), { maxPrefixes: 2 }).catch(
      (reason: unknown) => reason,
    );
    expect(error)
      .to.be.instanceOf(GeofeedError)
      .with.property("message", "it has more than 2 prefixes, which is all that the limit for all geofeeds leaves it");
    expect(problems).to.deep.equal([]);
  });

  it("yields to other work while it is read", async () => {
    let turns = 0;
    const count = () => {
      turns++;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const lines = Array.from({ length: 20_000 }, (_, index) => `9.${index >> 8}.${index & 255}.0/24,US`);
    await read(lines.join("\n"));
    clearImmediate(immediate);
    expect(turns).to.be.at.least(40);
  });

  it("finds the same as a search through all its prefixes", async () => {
    const random = sequence(8_805);
    const prefixes: { text: string; range: [ipaddr.IPv4 | ipaddr.IPv6, number]; city: string }[] = [];
    const address = (bits: 32 | 128) => {
      // Few different bytes, so that prefixes nest and addresses fall into them.
      const bytes = Array.from({ length: bits / 8 }, () => [0, 1, 128, 255][random(4)] as number);
      bytes[0] = bits === 32 ? 8 + random(2) : 0x2a;
      return ipaddr.fromByteArray(bytes);
    };
    for (let index = 0; index < 600; index++) {
      const bits = index % 2 === 0 ? 32 : 128;
      const length = 17 + random(bits - 16);
      const whole = address(bits);
      const kind = bits === 32 ? ipaddr.IPv4 : ipaddr.IPv6;
      const text = `${kind.networkAddressFromCIDR(`${whole}/${length}`)}/${length}`;
      if (prefixes.some((prefix) => prefix.text === text)) continue;
      prefixes.push({ text, range: ipaddr.parseCIDR(text), city: `City ${index}` });
    }
    const { geofeed, problems } = await read(prefixes.map(({ text, city }) => `${text},US,,${city},`).join("\n"));
    const used = prefixes.filter((_, index) => !problems.some(({ line }) => line === index + 1));
    expect(used.length).to.be.above(400);
    let found = 0;
    for (let index = 0; index < 4_000; index++) {
      const ip = address(index % 2 === 0 ? 32 : 128);
      const holding = used.filter(({ range }) => range[0].kind() === ip.kind() && ip.match(range as never));
      const longest = holding.sort((a, b) => b.range[1] - a.range[1])[0];
      expect(geofeed.find(addressOf(ip.toString()))?.city, ip.toString()).to.equal(longest?.city);
      if (longest) found++;
    }
    expect(found).to.be.within(1_000, 3_999);
  });
});

/** Whole numbers below a limit, the same at every run. */
function sequence(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
