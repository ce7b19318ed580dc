import { METHODS } from "node:http";
import { expect } from "chai";
import { send } from "../../../../test/harness/http.ts";
import { readAll } from "../testing/small-app.ts";
import { parsePlaceList } from "./country-rules.ts";
import { type EdgeConfig, HEADER_OF } from "./edge-config.ts";
import { startSmallEdge } from "./testing/small-edge.ts";

const KNOWN = { "X-Forwarded-For": "44.0.0.1" };
const TOKEN = "0123456789abcdef";

describe("the edge port", () => {
  let edge: Awaited<ReturnType<typeof startSmallEdge>>;
  const start = async (config: Partial<EdgeConfig> = {}, options: Parameters<typeof startSmallEdge>[0] = {}) => {
    edge = await startSmallEdge({ ...options, edge: config });
  };
  afterEach(() => edge[Symbol.asyncDispose]());

  it("sends the headers of the caller's place, for IPv4 and IPv6", async () => {
    await start();
    for (const ip of ["44.0.0.1", "2a00::1"]) {
      const { status, headers, text } = await send(edge.url, { headers: { "X-Forwarded-For": `1.2.3.4, ${ip}` } });
      expect([status, text]).to.deep.equal([200, ""]);
      expect(headers).to.include({ "x-geo-ip": ip, "x-geo-country": "CH", "x-geo-city": "Z%C3%BCrich" });
      expect(headers).to.include({ "cache-control": "no-store", "content-length": "0" });
    }
    expect(await edge.count("geolookup_edge_requests_total", "ok", "found")).to.equal(2);
  });

  for (const preset of ["geo", "cloudflare"] as const)
    it(`${preset}: every header is always present and never empty`, async () => {
      await start({ preset });
      const names = Object.values(HEADER_OF[preset]).map((name) => name.toLowerCase());
      for (const ip of ["44.0.0.1", "44.0.0.2", "127.0.0.1"]) {
        const { headers } = await send(edge.url, { headers: { "X-Forwarded-For": ip } });
        for (const name of names) expect(headers[name], name).to.match(/./);
        if (ip === "44.0.0.1") continue;
        expect(names.map((name) => headers[name]).sort()).to.include.members(["-", "XX"]);
      }
    });

  it("cloudflare: sends the bytes of UTF-8", async () => {
    await start({ preset: "cloudflare" });
    const received = await readAll(
      await edge.open("GET / HTTP/1.0\r\nX-Forwarded-For: 44.0.0.1\r\n\r\n").then(asLatin1),
    );
    expect(received).to.include("\r\nCF-IPCity: Z\xc3\xbcrich\r\n");
  });

  it("accepts any method and path, and never reads a body that is longer than 64 kB", async () => {
    await start();
    for (const method of METHODS.filter((each) => each !== "CONNECT")) {
      const { status, headers } = await send(edge.url, { method, path: "/any%zz?a=b", headers: KNOWN });
      expect([method, status, headers["x-geo-country"]]).to.deep.equal([method, 200, "CH"]);
    }
    const body = await send(edge.url, { method: "POST", headers: KNOWN, body: "x".repeat(10_000) });
    expect([body.status, body.headers.connection]).to.deep.equal([200, "close"]);
    const head = (length: string) => `POST / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 44.0.0.1\r\n${length}\r\n\r\n`;
    for (const length of [
      "Content-Length: 65537",
      "Transfer-Encoding: chunked",
      "Expect: 100-continue\r\nContent-Length: 65537",
    ]) {
      // Resolves only if the connection is closed without the body.
      const received = await readAll(await edge.open(head(length)));
      expect(received).to.match(/^HTTP\/1\.1 200 /);
      expect(received).to.include("\r\nConnection: close\r\n").and.include("\r\nX-Geo-Country: CH\r\n");
    }
    const kept = await edge.open(`${head("Content-Length: 65536")}${"x".repeat(65_536)}GET / HTTP/1.0\r\n\r\n`);
    expect((await readAll(kept)).match(/HTTP\/1\.1 200 /g)).to.have.length(2);
  });

  it("sends only the chosen fields, and lets proxies cache by address with EDGE_CACHE_SECONDS", async () => {
    await start({ fields: ["country"], cacheSeconds: 300 });
    const { headers } = await send(edge.url, { headers: KNOWN });
    expect(Object.keys(headers).filter((name) => name.startsWith("x-geo"))).to.deep.equal(["x-geo-country"]);
    expect(headers).to.include({ "cache-control": "max-age=300", vary: "X-Forwarded-For" });
  });

  it("requires the token, if there is one", async () => {
    await start({ token: TOKEN });
    for (const [headers, status] of [
      [{}, 401],
      [{ "X-Edge-Token": `${TOKEN}0` }, 401],
      [{ "X-Edge-Token": [TOKEN, TOKEN] }, 401],
      [{ "X-Edge-Token": TOKEN }, 200],
    ] as const) {
      const response = await send(edge.url, { headers: { ...KNOWN, ...headers } });
      expect(response.status).to.equal(status);
      if (status === 200) continue;
      expect(response.json.error.docs).to.equal("http://docs.test/errors/invalid_edge_token");
      expect(response.text).to.not.include(TOKEN);
      expect(Object.keys(response.headers).filter((name) => name.startsWith("x-geo"))).to.deep.equal([]);
    }
    expect(await edge.count("geolookup_edge_requests_total", "invalid_edge_token", "none")).to.equal(3);
  });

  it("refuses what the country rules don't allow, and doesn't let that be cached", async () => {
    await start({ rules: { allow: parsePlaceList("DE"), deny: null, unknown: "deny" }, cacheSeconds: 300 });
    for (const [ip, message] of [
      ["44.0.0.1", /^This site doesn't accept requests from your country/],
      ["44.0.0.2", /^Your location is unknown, .*EDGE_UNKNOWN=allow/],
    ] as const) {
      const { status, headers, json } = await send(edge.url, { headers: { "X-Forwarded-For": ip } });
      expect([status, headers["cache-control"]]).to.deep.equal([403, "no-store"]);
      expect(json.error).to.include({
        code: "country_not_allowed",
        docs: "http://docs.test/errors/country_not_allowed",
      });
      expect(json.error.message).to.match(message).and.not.include(ip);
    }
    expect(await edge.count("geolookup_edge_requests_total", "country_not_allowed", "found")).to.equal(1);
  });

  it("lets exempt addresses pass the country rules, whether their places are refused or unknown", async () => {
    const rules = { allow: parsePlaceList("DE"), deny: null, unknown: "deny" } as const;
    await start({ rules, isExempt: (ip) => ip !== "44.0.0.3" });
    for (const [ip, status] of [
      ["44.0.0.1", 200],
      ["44.0.0.2", 200],
      ["44.0.0.3", 403],
    ] as const)
      expect((await send(edge.url, { headers: { "X-Forwarded-For": ip } })).status).to.equal(status);
  });

  it("beyond MAX_IN_FLIGHT, responds with an unknown place without a lookup", async () => {
    const held = Promise.withResolvers<never>();
    let lookups = 0;
    const locate = () => {
      lookups += 1;
      return held.promise;
    };
    await start({}, { settings: { maxInFlight: 2 }, locator: { locate } });
    const text = "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 44.0.0.1\r\n\r\n";
    await edge.open(text);
    await edge.open(text);
    const { status, headers } = await send(edge.url, { headers: KNOWN });
    expect([status, headers["x-geo-country"], lookups]).to.deep.equal([200, "XX", 2]);
    expect(await edge.count("geolookup_edge_requests_total", "ok", "overload")).to.equal(1);
  });
});

const asLatin1 = <Stream extends { setEncoding(encoding: BufferEncoding): unknown }>(stream: Stream): Stream => {
  stream.setEncoding("latin1");
  return stream;
};
