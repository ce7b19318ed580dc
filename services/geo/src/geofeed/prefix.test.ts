import { expect } from "chai";
import { parsePrefix } from "./prefix.ts";

describe("the prefix in a geofeed's line", () => {
  const good: Record<string, [number[], number]> = {
    "9.8.7.0/24": [[0x0908_0700], 24],
    "9.8.7.6": [[0x0908_0706], 32],
    "9.8.7.6/32": [[0x0908_0706], 32],
    "0.0.0.0/0": [[0], 0],
    "128.0.0.0/1": [[0x8000_0000], 1],
    "192.0.0.0/2": [[0xc000_0000], 2],
    "192.0.0.0/16": [[0xc000_0000], 16], // 192.0.0.0/24 and 192.0.2.0/24 are not public, the rest is
    "172.0.0.0/8": [[0xac00_0000], 8],
    "2a00:1450::/32": [[0x2a00_1450, 0, 0, 0], 32],
    "2A00:1450:0:0::0/32": [[0x2a00_1450, 0, 0, 0], 32],
    "2a00:1450::1": [[0x2a00_1450, 0, 0, 1], 128],
    "::/0": [[0, 0, 0, 0], 0],
    "::/2": [[0, 0, 0, 0], 2],
    "2000::/3": [[0x2000_0000, 0, 0, 0], 3],
    "2002::/15": [[0x2002_0000, 0, 0, 0], 15], // holds 2003::/16 beside 6to4
    "2001:db8::/31": [[0x2001_0db8, 0, 0, 0], 31],
  };
  for (const [text, [words, prefixLength]] of Object.entries(good))
    it(`reads ${text}`, () => {
      expect(parsePrefix(text)).to.deep.equal({ words, prefixLength });
    });

  const bad: Record<string, [RegExp, string[]]> = {
    "invalid prefixes": [
      /^this isn't a prefix/,
      [
        "",
        "prefix",
        "9.8.7/24",
        "9.8.7.256/32",
        "9.8.7.0/33",
        "9.8.7.0/-1",
        "9.8.7.0/",
        "9.8.7.0/24/1",
        "9.8.7.0/1e1",
      ].concat(["09.8.7.0/24", "2a00::/129", "2a00:::/16", "2a00:1450::%eth0/64", "9.8.7.0-9.8.7.255", "[2a00::]/16"]),
    ],
    "host bits": [/^the address has bits set/, ["9.8.7.1/24", "2a00:1450::1/64", "9.0.0.0/1", "2a00:1450:8000::/32"]],
    "prefixes that match no caller": [
      /^this prefix matches no caller/,
      [
        "10.0.0.0/8",
        "10.1.2.3",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "127.0.0.1",
        "203.0.113.0/24",
        "224.0.0.0/3",
      ].concat([
        "240.0.0.0/4",
        "::1",
        "::/3",
        "fc00::/7",
        "fe80::/10",
        "8000::/1",
        "2001:db8::/32",
        "2001:10::/28",
        "2002::/16",
        "2002:908:700::/40",
        "::ffff:9.8.7.0/120",
        "64:ff9b::/96",
      ]),
    ],
  };
  for (const [name, [problem, texts]] of Object.entries(bad))
    for (const text of texts)
      it(`refuses ${name}: ${JSON.stringify(text)}`, () => {
        expect(parsePrefix(text)).to.match(problem);
      });
});
