import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MmdbValue } from "@geolookup/geo/mmdb/value.ts";
import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { temporaryFolder } from "@geolookup/geo/testing/fixtures.ts";
import { expect } from "chai";
import { chooseEchoip, type EchoipChoice, startEchoip } from "./echoip.ts";

/** Takes echoip's options, and responds with them and the caller's address. */
const FAKE = `#!${process.execPath}
const { parseArgs } = require("node:util");
const options = Object.fromEntries(["l", "H", "f", "c", "a"].map((short) => [short, { type: "string", short }]));
const { values } = parseArgs({ options });
const [host, port] = values.l.split(":");
const server = require("node:http").createServer((req, res) => {
  res.end(JSON.stringify({ path: req.url, ip: req.headers[values.H.toLowerCase()], ...values }));
});
server.listen(Number(port), host, () => console.error("echoip: main.go:1: Listening on http://" + values.l));
`;

describe("the contestant echoip", () => {
  const folder = temporaryFolder("echoip");
  after(folder.remove);
  const written = (name: string, content: string | Buffer) => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  };
  const database = (databaseType: string) => {
    const entries: [string, MmdbValue][] = [["20.0.0.0/8", {}]];
    const bytes = buildMmdb({
      databaseType,
      ipVersion: 4,
      recordSize: 24,
      entries,
      buildUnixSeconds: 1,
    });
    return written(`${databaseType}.mmdb`, bytes);
  };
  const program = written("echoip", FAKE);
  chmodSync(program, 0o700);

  it("is skipped without its binary, and with databases that it can't read", () => {
    const missing = (path: string | null, types: readonly string[]) =>
      (chooseEchoip(path, types.map(database)) as { missing: string }).missing;
    expect(missing(null, [])).to.include("set ECHOIP to the path of its binary");
    expect(missing("/no/such/echoip", [])).to.equal("ECHOIP=/no/such/echoip doesn't exist");
    const types = ["city ipv4", "GeoLite2-ASN"];
    expect(missing(program, types)).to.include("these are city ipv4, GeoLite2-ASN; set GEO_DATABASES");
  });

  it("gets the databases in MaxMind's layout, and the callers' addresses", async () => {
    const [city, asn] = [database("DBIP-City-Lite"), database("GeoLite2-ASN")];
    const choice = chooseEchoip(program, [city, asn]);
    expect(choice).to.deep.equal({ program, places: city, networks: asn });
    await using site = await startEchoip(choice as EchoipChoice);
    const [contestant] = site.contestants;
    const { name, port, requests } = contestant ?? expect.fail();
    const response = await fetch(`http://127.0.0.1:${port}${requests.path}`, {
      headers: { "X-Forwarded-For": "192.0.2.1" },
    });
    expect([name, await response.json()]).to.deep.equal([
      "echoip",
      { path: "/json", ip: "192.0.2.1", l: `127.0.0.1:${port}`, H: "X-Forwarded-For", f: city, c: city, a: asn },
    ]);
  });
});
