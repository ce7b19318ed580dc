import type { lookup } from "node:dns";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { testAuthority } from "../../../../test/harness/certificates.ts";
import { oneLineOf } from "../testing/geo-data-on-disk.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";

const INIT = { method: "GET", headers: { authorization: "Basic secret", "x-other": "kept" } } as const;

/** The test's host names; here, only 127.0.0.1 counts as public. */
const ADDRESSES: Record<string, readonly string[]> = {
  "publisher.test": ["127.0.0.1"],
  "storage.test": ["127.0.0.1"],
  "inside.test": ["127.0.0.2"],
  "mixed.test": ["127.0.0.1", "127.0.0.2"],
  "mirror.test": ["127.0.0.2"],
};

describe("guardedFetch", () => {
  let port: number;
  const resources = new AsyncDisposableStack();
  const requests: { host: string; url: string; authorization: string | undefined; other: unknown }[] = [];
  const redirects: Record<string, string> = {};
  let rebound = 0;

  const resolve = ((hostname: string, _options: unknown, done: (...args: unknown[]) => void) => {
    // Public when the redirect is checked, private when connecting.
    const known = hostname === "rebinding.test" ? [rebound++ === 0 ? "127.0.0.1" : "127.0.0.2"] : ADDRESSES[hostname];
    if (known)
      done(
        null,
        known.map((address) => ({ address, family: 4 })),
      );
    else done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" }), []);
  }) as typeof lookup;

  const get = async (url: string) => {
    const guarded = createGuardedFetch({
      resolve,
      ca: testAuthority().ca,
      isPublic: (address) => address === "127.0.0.1",
    });
    const response = await guarded(url, "the publisher", { ...INIT, signal: AbortSignal.timeout(5_000) });
    return response.text();
  };

  before(async () => {
    const names = [...Object.keys(ADDRESSES), "rebinding.test"].map((name) => `DNS:${name}`);
    const { certFile, keyFile } = testAuthority().issue({ names: [...names, "IP:127.0.0.1", "IP:127.0.0.2"] });
    const handle: RequestListener = (req, res) => {
      const { host = "", authorization } = req.headers;
      requests.push({ host, url: req.url ?? "", authorization, other: req.headers["x-other"] });
      const location = redirects[req.url ?? ""];
      if (location === undefined) res.end(`${host}${req.url}`);
      else res.writeHead(302, { location }).end();
    };
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, handle);
    await new Promise<void>((done) => server.listen(0, "0.0.0.0", done));
    ({ port } = server.address() as AddressInfo);
    resources.defer(
      () =>
        new Promise((done) => {
          server.close(() => done());
          server.closeAllConnections();
        }),
    );
  });
  after(() => resources.disposeAsync());
  beforeEach(() => {
    requests.length = 0;
  });

  it("follows redirects to other hosts, and sends credentials only to the first", async () => {
    redirects["/a"] = `https://storage.test:${port}/b`;
    redirects["/b"] = `https://publisher.test:${port}/c`;
    redirects["/c"] = "/d";
    expect(await get(`https://publisher.test:${port}/a`)).to.equal(`publisher.test:${port}/d`);
    expect(requests.map(({ url, authorization, other }) => [url, authorization, other])).to.deep.equal([
      ["/a", "Basic secret", "kept"],
      ["/b", undefined, "kept"],
      ["/c", undefined, "kept"],
      ["/d", undefined, "kept"],
    ]);
  });

  it("connects to the configured host, even on a private address", async () => {
    redirects["/near"] = `https://mirror.test:${port}/here`;
    expect(await get(`https://mirror.test:${port}/near`)).to.equal(`mirror.test:${port}/here`);
  });

  for (const [what, location, problem] of [
    ["a fourth redirect", "/again", "redirected more than 3 times"],
    ["plain HTTP", "http://storage.test:PORT/b?signature=x", "redirected to an address without TLS"],
    ["another protocol", "file:///etc/passwd", "redirected to an address without TLS"],
    [
      "a name with a private address",
      "https://inside.test:PORT/?signature=x",
      "redirected to an address that isn't public",
    ],
    [
      "a name with a private address among others",
      "https://mixed.test:PORT/",
      "redirected to an address that isn't public",
    ],
    ["a private address", "https://127.0.0.2:PORT/", "redirected to an address that isn't public"],
    ["a private IPv6 address", "https://[::1]:PORT/", "redirected to an address that isn't public"],
    ["an IPv4 address in another form", "https://2130706434:PORT/", "redirected to an address that isn't public"],
    ["credentials", "https://me:secret@storage.test:PORT/", "redirected to an address with credentials"],
    ["something that isn't a URL", "https://", "redirected to something that isn't a URL"],
  ] as const)
    it(`refuses a redirect to ${what}`, async () => {
      redirects["/again"] = location.replace("PORT", `${port}`);
      const url = `https://publisher.test:${port}/again`;
      expect(await oneLineOf(get(url))).to.equal(`cannot download ${url}: the publisher ${problem}`);
      expect(requests.every(({ host }) => host.startsWith("publisher.test"))).to.equal(true);
    });

  it("refuses a name whose address changed after it was looked up", async () => {
    redirects["/rebind"] = `https://rebinding.test:${port}/again`;
    redirects["/again"] = `https://rebinding.test:${port + 1}/`;
    expect(await oneLineOf(get(`https://publisher.test:${port}/rebind`))).to.include("an address that isn't public");
  });

  it("by default, refuses redirects to this machine, private networks and link-local addresses", async () => {
    const guarded = createGuardedFetch({ ca: testAuthority().ca });
    for (const host of ["localhost", "10.0.0.1", "169.254.169.254", "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]"]) {
      redirects["/default"] = `https://${host}:${port}/`;
      const started = guarded(`https://127.0.0.1:${port}/default`, "it", {
        ...INIT,
        signal: AbortSignal.timeout(5_000),
      });
      expect(await oneLineOf(started), host).to.include("an address that isn't public");
    }
  });
});
