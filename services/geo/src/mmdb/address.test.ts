import { expect } from "chai";
import { publicAddress } from "./address.ts";

describe("publicAddress", () => {
  const itself = [
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "198.51.101.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "81.2.69.142",
    "2a00:1450:4009::1",
    "2600::",
    "2001:4860:4860::8888",
    "3ffe::1",
    "2001:db7:ffff::",
    "2001:db9::",
  ];
  for (const ip of itself)
    it(`returns ${ip} unchanged`, () => {
      expect(publicAddress(ip)).to.equal(ip);
    });

  const inside: Record<string, string> = {
    "::ffff:81.2.69.142": "81.2.69.142",
    "::ffff:5102:458e": "81.2.69.142",
    "2002:5102:458e::1": "81.2.69.142",
    "2002:dfff:ffff:1:2:3:4:5": "223.255.255.255",
    "64:ff9b::81.2.69.142": "81.2.69.142",
    "64:ff9b::5102:458e": "81.2.69.142",
    // The client in a Teredo address is inverted; 65.54.227.120 is its server (RFC 4380, section 4).
    "2001:0:4136:e378:8000:63bf:174.253.186.113": "81.2.69.142",
  };
  for (const [ip, expected] of Object.entries(inside))
    it(`finds ${expected} inside ${ip}`, () => {
      expect(publicAddress(ip)).to.equal(expected);
    });

  const nonPublic: Record<string, string[]> = {
    unspecified: ["0.0.0.0", "0.255.255.255", "::"],
    loopback: ["127.0.0.1", "127.255.255.255", "::1"],
    private: ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
    "carrier-grade NAT": ["100.64.0.0", "100.127.255.255"],
    "link-local": ["169.254.1.1", "fe80::1", "febf::"],
    documentation: [
      "192.0.2.1",
      "198.51.100.255",
      "203.0.113.0",
      "2001:db8::1",
      "2001:db8:ffff::",
      "3fff::1",
      "3fff:fff::1",
    ],
    benchmarking: ["198.18.0.0", "198.19.255.255", "2001:2::1"],
    "protocol assignments": ["192.0.0.0", "192.0.0.255", "2001:10::1", "2001:2f::1"],
    multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
    "reserved and broadcast": ["240.0.0.0", "255.255.255.255", "4000::", "100::1", "5f00::1"],
    "unique local": ["fc00::1", "fdff::1"],
    "local-use NAT64": ["64:ff9b:1::1"],
    "embedded non-public": [
      "::ffff:10.0.0.1",
      "::ffff:127.0.0.1",
      "2002:0a00:0001::",
      "2002:c0a8:1::",
      "2002:ffff:ffff::",
      "64:ff9b::192.168.1.1",
      "64:ff9b::7f00:1",
      "2001:0:4136:e378:8000:63bf:245.255.255.254",
    ],
    "IPv4-compatible": ["::81.2.69.142"],
    "no address": ["", "unknown", "1.2.3", "1.2.3.4:80", "[::1]", "2600::%eth0"],
  };
  for (const [kind, addresses] of Object.entries(nonPublic))
    for (const ip of addresses)
      it(`recognizes ${JSON.stringify(ip)} as non-public (${kind})`, () => {
        expect(publicAddress(ip)).to.equal(null);
      });
});
