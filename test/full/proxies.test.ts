import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { HEADER_OF } from "../../services/gateway/src/edge/edge-config.ts";
import { ADDRESSES } from "../fixtures/places.ts";
import type { Deployment } from "../harness/deployment.ts";
import { type Sent, send } from "../harness/http.ts";
import { type ProxyName, type RecipeServer, type RecipeVariant, startRecipe } from "../harness/proxy-recipes.ts";
import { startStandalone } from "../harness/standalone.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const START_TIMEOUT_MS = 120_000;
/** A correction gives this address a city with an umlaut in its name. */
const UMLAUT = "93.8.0.1";
const CORRECTION = "93.8.0.0/24,CH,CH-ZH,Zürich,\n";

/** Each preset, with names and values that differ. */
const PRESETS = [
  {
    preset: "geo",
    prefix: /^x[-_]geo/,
    others: [],
    country: "x-geo-country",
    city: "x-geo-city",
    umlaut: "Z%C3%BCrich",
    token: null,
  },
  {
    preset: "cloudflare",
    prefix: /^cf[-_]/,
    others: ["CF-Connecting-IP", "CF-Ray"],
    country: "cf-ipcountry",
    city: "cf-ipcity",
    // The bytes of UTF-8, which Node reads as Latin-1.
    umlaut: "Z\xc3\xbcrich",
    token: "0123456789abcdef",
  },
] as const;
/** Paths that proxies normalize or treat differently. */
const PATHS = [
  "/",
  "/any/path?q=1",
  "/a%2f..%2fb",
  "/./a//b/../c",
  "/%2egeolookup",
  "/.geolookup",
  "/v1/geo",
  "/?a=%0d%0ab",
];
/** The example of RFC 6455, section 1.3. */
// cspell:disable-next-line
const WEBSOCKET = { key: "dGhlIHNhbXBsZSBub25jZQ==", accept: "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" };
/** What a visitor may add to its headers, so that the location's are lost. */
const HOSTILE: readonly (readonly [what: string, lines: (names: readonly string[]) => string])[] = [
  ["Connection with their names", (names) => `Connection: keep-alive, ${names.join(", ")}\r\n`],
  ["many Connection headers", (names) => names.map((name) => `connection: ${name.toUpperCase()}\r\n`).join("")],
  ["Connection: close with their names", (names) => `Connection: close,${names.join(",")}\r\n`],
  ["Connection with X-Forwarded-For", () => "Connection: X-Forwarded-For, Host, X-Edge-Token\r\n"],
  ["Proxy-Connection with their names", (names) => `Proxy-Connection: keep-alive, ${names.join(", ")}\r\n`],
  [
    "TE and Keep-Alive",
    (names) => `TE: trailers\r\nKeep-Alive: ${names.join(", ")}\r\nTrailer: ${names.join(", ")}\r\n`,
  ],
  ...[80, 100, 900, 990, 2_100, 5_000].map((count) => [`${count} headers`, () => "a:\r\n".repeat(count)] as const),
  ...[7_500, 14_000, 14_800, 15_200, 15_900, 17_000, 60_000].map(
    (bytes) => [`a header of ${bytes} bytes`, () => `A: ${"a".repeat(bytes)}\r\n`] as const,
  ),
  ...[4_000, 7_000, 15_000].map(
    (bytes) => [`twice ${bytes} bytes`, () => `A: ${"a".repeat(bytes)}\r\n`.repeat(2)] as const,
  ),
];
const PROXIES = ["nginx", "caddy", "haproxy"] as const satisfies ProxyName[];

for (const [name, { preset, prefix, others, country, city, umlaut, token }] of PROXIES.flatMap((proxy) =>
  PRESETS.map((each) => [proxy, each] as const),
))
  describe(`${name} with the recipes of docs/proxies, EDGE_HEADERS=${preset}${token ? ", with EDGE_TOKEN" : ""}`, function () {
    const names = Object.values(HEADER_OF[preset]).map((header) => header.toLowerCase());
    /** Every header of the preset, also in spellings that CGI and many frameworks read as the same name. */
    const spoofed = Object.fromEntries(
      [...names, ...others]
        .flatMap((header) => [
          ...[header, header.toUpperCase(), header.replaceAll("-", "_")],
          ...[header.replace("-", "_"), header.replace(/-(?!.*-)/, "_")],
        ])
        .map((header) => [header, "spoofed"]),
    );
    this.timeout(START_TIMEOUT_MS);
    let app: Server;
    let geolookup: Deployment;
    let network: TcpProxy;
    const reopen = () => {
      network.cut();
      network.open();
    };
    const proxies = {} as Record<RecipeVariant, RecipeServer>;
    let edgePort: number;
    let geofeed: string;
    const startGeolookup = async () => {
      geolookup = await startStandalone({
        EDGE_PORT: String(edgePort),
        EDGE_DENY: "DE",
        EDGE_UNKNOWN: "allow",
        EDGE_HEADERS: preset,
        EDGE_TOKEN: token ?? "",
        GEOFEED_FILE: geofeed,
        LOG_LEVEL: "debug",
        ACCESS_LOG: "all",
      });
    };

    before(async () => {
      geofeed = join(tempFolder(), "geofeed.csv");
      writeFileSync(geofeed, CORRECTION);
      edgePort = await freePort();
      app = createServer({ maxHeaderSize: 2 ** 20 }, (req, res) => {
        const chunks: Buffer[] = [];
        req.on("data", (chunk: Buffer) => chunks.push(chunk));
        req.on("end", () => {
          const { method, url, rawHeaders } = req;
          res.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() }));
        });
      });
      app.maxHeadersCount = 0;
      app.on("upgrade", ({ rawHeaders }, socket) => {
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${WEBSOCKET.accept}\r\n\r\n`,
        );
        socket.write(`${JSON.stringify(rawHeaders)}\n`);
        socket.pipe(socket);
      });
      app.listen(0, "127.0.0.1");
      await once(app, "listening");
      network = await startTcpProxy(edgePort);
      await startGeolookup();
      const { port: appPort } = app.address() as AddressInfo;
      for (const variant of ["enrich", "country-rules"] as const)
        proxies[variant] = await startRecipe(name, variant, { edgePort: network.port, appPort, preset, token });
    });
    after(async () => {
      for (const proxy of Object.values(proxies)) await proxy[Symbol.asyncDispose]();
      await network?.[Symbol.asyncDispose]();
      await geolookup?.[Symbol.asyncDispose]();
      app?.close();
      app?.closeAllConnections();
    });

    /** The headers whose names look like the preset's, in lower case. */
    const geoIn = (rawHeaders: readonly string[]) => {
      const geo: Record<string, string> = {};
      for (let index = 0; index < rawHeaders.length; index += 2) {
        const header = (rawHeaders[index] ?? "").toLowerCase();
        const value = rawHeaders[index + 1] ?? "";
        if (prefix.test(header)) geo[header] = header in geo ? `${geo[header]}, again` : value;
      }
      return geo;
    };
    /** What the application gets. */
    const seenBy = async (variant: RecipeVariant, sent: Sent = {}, version: 0 | 1 = 0) => {
      const response = await send(proxies[variant].urls[version], { path: "/any/path?q=1", ...sent });
      if (response.status !== 200) return { status: response.status, geo: {} as Record<string, string>, request: null };
      return { status: 200, geo: geoIn(response.json.rawHeaders), request: response.json };
    };
    /** The headers of the enrich variant. On a busy machine, the first subrequests may take more than 100 ms. */
    const placeOf = (sent: Sent, version?: 0 | 1) =>
      waitFor(
        "a place",
        async () => {
          const { geo } = await seenBy("enrich", sent, version);
          return country in geo && geo;
        },
        20_000,
      );
    const visitor = (address: string) => ({ headers: { ...spoofed, "X-Visitor": address } });

    it("passes on the location of IPv4 and IPv6 visitors, no matter what they send", async () => {
      for (const [address, code, cityName] of [
        [ADDRESSES.rainhaven, "US", "Rainhaven"],
        [ADDRESSES.rainhavenIpv6, "US", "Rainhaven"],
        [UMLAUT, "CH", umlaut],
        [ADDRESSES.unknown, "XX", "-"],
      ] as const) {
        const geo = await placeOf(visitor(address));
        expect(Object.keys(geo).sort()).to.deep.equal([...names].sort());
        expect(Object.values(geo)).to.not.include("spoofed");
        expect(geo).to.include({ ...(preset === "geo" && { "x-geo-ip": address }), [country]: code, [city]: cityName });
      }
    });

    /** Whether no header that a visitor sent arrives, on any path. Some proxies refuse some of the paths. */
    const expectNoneSpoofed = async (variant: RecipeVariant, address: string, places: readonly string[]) => {
      const served: string[] = [];
      for (const path of PATHS) {
        const { status, geo } = await seenBy(variant, { ...visitor(address), path });
        if (status !== 200) continue;
        served.push(path);
        expect(Object.values(geo), path).to.not.include("spoofed");
        expect(
          Object.keys(geo).filter((header) => !(names as string[]).includes(header)),
          path,
        ).to.deep.equal([]);
        expect(places, path).to.include(geo[country] ?? "none");
      }
      expect(served).to.include.members(PATHS.filter((path) => !path.includes("geolookup") && path !== "/?a=%0d%0ab"));
    };

    it("passes on no header that a visitor sent, whatever the path: known and unknown places, both variants", async () => {
      for (const variant of ["enrich", "country-rules"] as const) {
        // Enrich serves without a location if the machine was busy for 100 ms.
        const missing = variant === "enrich" ? ["none"] : [];
        await expectNoneSpoofed(variant, ADDRESSES.rainhaven, ["US", ...missing]);
        await expectNoneSpoofed(variant, ADDRESSES.unknown, ["XX", ...missing]);
      }
    });

    it("takes the visitor's address from the connection", async () => {
      for (const [version, address] of [
        [0, "127.0.0.1"],
        [1, "::1"],
      ] as const) {
        const geo = await placeOf({ headers: { "X-Forwarded-For": ADDRESSES.rainhaven } }, version);
        expect(geo).to.include({ ...(preset === "geo" && { "x-geo-ip": address }), [country]: "XX" });
      }
    });

    it("passes on method, path and body", async () => {
      for (const variant of ["enrich", "country-rules"] as const) {
        const { request } = await seenBy(variant, { method: "POST", body: "a=b" });
        expect(request).to.include({ method: "POST", url: "/any/path?q=1", body: "a=b" });
      }
    });

    /** Sends a request of a visitor as it is, with more header lines. */
    const sendLines = async (variant: RecipeVariant, lines: string) => {
      const ending = /^connection:/im.test(lines) ? "" : "Connection: close\r\n";
      const head = `GET / HTTP/1.1\r\nHost: a\r\nX-Visitor: ${ADDRESSES.rainhaven}\r\n${ending}${lines}\r\n`;
      await using connection = openConnection(proxies[variant].urls[0]);
      connection.send(head);
      const received = await connection.until(/^HTTP\/1\.1 (?!200)|"body":""\}/);
      const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(received) ?? [];
      return { status: Number(status), geo: geoIn(JSON.parse(/"rawHeaders":(\[.*?\])/.exec(received)?.[1] ?? "[]")) };
    };
    for (const variant of ["enrich", "country-rules"] as const)
      for (const [what, lines] of HOSTILE)
        it(`${variant}: all headers arrive, or the request is refused: ${what}`, async () => {
          const { status, geo } = await waitFor(
            "a response",
            async () => {
              const seen = await sendLines(variant, lines(names));
              // On a busy machine, a location may take more than 100 ms.
              return (seen.status !== 200 || Object.keys(seen.geo).length > 0) && seen;
            },
            20_000,
          );
          if (status !== 200) return void expect(status).to.be.within(400, 504);
          expect(Object.keys(geo).sort()).to.deep.equal([...names].sort());
          expect(geo).to.include({ [country]: "US", [city]: "Rainhaven" });
        });

    for (const tokens of ["Upgrade", `keep-alive, ${names.join(", ")}, upgrade`])
      it(`opens a WebSocket, and passes on the location: Connection: ${tokens}`, async () => {
        const geo = await waitFor(
          "a place",
          async () => {
            await using connection = openConnection(proxies.enrich.urls[0]);
            const upgrade = `Upgrade: websocket\r\nConnection: ${tokens}\r\nSec-WebSocket-Key: ${WEBSOCKET.key}\r\n`;
            connection.send(`GET / HTTP/1.1\r\nHost: a\r\nX-Visitor: ${ADDRESSES.rainhaven}\r\n${upgrade}\r\n`);
            const [, rawHeaders = ""] =
              /^HTTP\/1\.1 101 .*\r\n\r\n(\[.*\])\n/s.exec(await connection.until(/\]\n/)) ?? [];
            connection.send("ping");
            expect(await connection.until(/ping$/)).to.match(/\nping$/);
            const geo = geoIn(JSON.parse(rawHeaders));
            return Object.keys(geo).length > 0 && geo;
          },
          20_000,
        );
        expect(Object.keys(geo).sort()).to.deep.equal([...names].sort());
        expect(geo).to.include({ [country]: "US", [city]: "Rainhaven" });
      });

    it("country rules: refuses visitors from the countries in EDGE_DENY", async () => {
      expect((await seenBy("country-rules", visitor(ADDRESSES.rainhaven))).geo).to.include({ [country]: "US" });
      expect((await seenBy("country-rules", visitor(ADDRESSES.beispielstadt))).status).to.equal(403);
    });

    for (const [state, begin, end] of [
      ["hangs", () => network.blackhole(), reopen],
      ["is killed", () => geolookup.kill(), startGeolookup],
      ["is stopped", () => geolookup.stop(), startGeolookup],
    ] as const)
      it(`while geolookup ${state}: enrich serves without a location, within a second, and country rules refuse`, async () => {
        await begin();
        try {
          // The proxies may still hold connections to the stopped server. This request makes them notice.
          await seenBy("enrich", visitor(ADDRESSES.rainhaven));
          const startedMs = performance.now();
          const { status, geo, request } = await seenBy("enrich", {
            ...visitor(ADDRESSES.rainhaven),
            method: "POST",
            body: "a=b",
          });
          expect([status, geo, request.method, request.body]).to.deep.equal([200, {}, "POST", "a=b"]);
          expect(performance.now() - startedMs).to.be.below(1_000);
          await expectNoneSpoofed("enrich", ADDRESSES.rainhaven, ["none"]);
          expect((await seenBy("country-rules", visitor(ADDRESSES.rainhaven))).status).to.be.within(500, 504);
        } finally {
          await end();
        }
        expect(await placeOf(visitor(ADDRESSES.rainhaven))).to.include({ [country]: "US" });
      });

    it("while nothing listens on the edge port: enrich serves without a location, within a second", async () => {
      const { port: appPort } = app.address() as AddressInfo;
      const options = { edgePort: await freePort(), appPort, preset, token };
      await using proxy = await startRecipe(name, "enrich", options);
      const startedMs = performance.now();
      expect((await send(proxy.urls[0], visitor(ADDRESSES.rainhaven))).status).to.equal(200);
      expect(performance.now() - startedMs).to.be.below(1_000);
    });

    it("no address is in geolookup's log or metrics", async () => {
      const metrics = await (await fetch(`${geolookup.opsUrls[0]}/metrics`)).text();
      expect(metrics).to.match(/geolookup_edge_requests_total\{code="ok",reason="found"\} [1-9]/);
      for (const address of [ADDRESSES.rainhaven, ADDRESSES.rainhavenIpv6, ADDRESSES.unknown])
        expect(geolookup.output() + metrics).to.not.include(address);
    });
  });

/** A connection that bytes are sent on unchanged. */
function openConnection(url: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  return {
    send: (text: string) => void socket.write(text, "latin1"),
    /** All that was received, once it matches or the other side has closed. */
    until: (pattern: RegExp) =>
      waitFor("what a proxy sends", () => (pattern.test(received) || socket.closed) && received, 5_000),
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  };
}
