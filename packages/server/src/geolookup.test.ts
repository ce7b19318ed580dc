import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { createGeolookup, type GeolookupError, type GeolookupOptions } from "./geolookup.ts";

const VISITOR = "192.0.2.7";
const RECORD = { ip: VISITOR, country: "DE", city: "Berlin" };
const HEADERS = { "Cache-Control": "private, max-age=300", Vary: "Origin, X-Forwarded-For" };
const OWN_LOCATION = "X-Forwarded-For has no valid visitor address, so this is the sender's own location";
/** Long enough for a busy machine. */
const TIMEOUT_MS = 5_000;

describe("createGeolookup", () => {
  let server: Server;
  let url: string;
  let received: IncomingMessage[];
  let respond: (res: ServerResponse, req: IncomingMessage) => void;
  let warnings: string[];
  const { warn } = console;

  before(async () => {
    server = createServer((req, res) => {
      received.push(req);
      respond(res, req);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    received = [];
    warnings = [];
    console.warn = (line: string) => warnings.push(line);
    respond = (res) => res.writeHead(200, HEADERS).end(JSON.stringify(RECORD));
  });
  afterEach(() => {
    console.warn = warn;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const create = (options: Partial<GeolookupOptions> = {}) => {
    const errors: GeolookupError[] = [];
    const onError = (error: GeolookupError) => errors.push(error);
    const geolookup = createGeolookup({ url, key: "geo_sk_1", timeoutMs: TIMEOUT_MS, onError, ...options });
    const locate = (ip: string | null = VISITOR) => geolookup.locate(new Request("http://shop.test"), { ip });
    return { locate, codes: () => errors.map(({ code }) => code), errors };
  };
  const refuse = (status: number, code: string, retryAfter = "7") => {
    respond = (res) =>
      res
        .writeHead(status, { "Retry-After": retryAfter })
        .end(JSON.stringify({ error: { code, message: "What to change.", docs: `http://docs/errors/${code}` } }));
  };

  it("forwards the visitor as one hop with the key, and sends one request per visitor within max-age", async () => {
    const { locate } = create();
    expect(await Promise.all([locate(), locate(), locate("::ffff:192.0.2.7")])).to.deep.equal([RECORD, RECORD, RECORD]);
    const first = await locate();
    first.city = "changed by the caller";
    expect(await locate()).to.deep.equal(RECORD);
    const [request] = received;
    expect(received).to.have.length(1);
    expect(request?.url).to.equal("/v1/geo");
    expect(request?.headers).to.include({ authorization: "Bearer geo_sk_1", "x-forwarded-for": VISITOR });
    const { locate: uncached } = create({ cache: false });
    await uncached();
    await uncached();
    expect(received).to.have.length(3);
  });

  it("returns only the requested fields, and checks that the record is the visitor's", async () => {
    const { locate } = create({ fields: ["country", "city"] });
    expect(await locate()).to.deep.equal({ country: "DE", city: "Berlin" });
    expect(received[0]?.url).to.equal("/v1/geo?fields=city%2Ccountry%2Cip");
  });

  for (const [what, headers, body] of [
    ["X-Forwarded-For isn't in Vary", { Vary: "Origin" }, { country: "DE" }],
    ["it has another address", HEADERS, { ...RECORD, ip: "127.0.0.1" }],
    [
      "it has no address, and the notice says so",
      { ...HEADERS, "X-Geolookup-Notice": OWN_LOCATION },
      { country: "DE" },
    ],
  ] as const)
    it(`never returns this server's own record: ${what}`, async () => {
      respond = (res) => res.writeHead(200, headers).end(JSON.stringify(body));
      const { locate, codes } = create({ fields: ["country"] });
      expect([await locate(), await locate()]).to.deep.equal(Array(2).fill({ country: null, partial: true }));
      expect(codes()).to.deep.equal(["not_forwarded", "not_forwarded"]);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include("--forward").and.not.include(VISITOR);
    });

  for (const [status, code] of [
    [401, "revoked_key"],
    [403, "origin_not_allowed"],
    [429, "rate_limited"],
  ] as const)
    it(`${status} ${code}: returns nulls, calls onError each time, logs once a minute, and caches nothing`, async () => {
      refuse(status, code);
      const { locate, codes, errors } = create();
      const records = [await locate(), await locate(), await locate()];
      for (const record of records)
        expect(record).to.include({ partial: true, ip: null, country: null, metroCode: null });
      expect(codes()).to.deep.equal([code, code, code]);
      expect(errors[0]).to.include({ status, docs: `http://docs/errors/${code}`, retryAfterSeconds: 7 });
      expect(warnings).to.deep.equal([`geolookup: ${code}: What to change. http://docs/errors/${code}`]);
      respond = (res) => res.writeHead(200, HEADERS).end(JSON.stringify(RECORD));
      expect(await locate()).to.deep.equal(RECORD);
    });

  it("quota_exceeded: no further requests for a while", async () => {
    refuse(429, "quota_exceeded", "86400");
    const { locate, codes } = create();
    for (let i = 0; i < 3; i += 1) expect(await locate()).to.include({ partial: true });
    expect(received).to.have.length(1);
    expect(codes()).to.deep.equal(["quota_exceeded"]);
    const { locate: throwing } = create({ throwErrors: true });
    const messages = [];
    for (let i = 0; i < 2; i += 1) messages.push(await throwing().catch(({ code, message }) => `${code}: ${message}`));
    expect(messages[0]).to.equal("quota_exceeded: What to change.");
    expect(messages[1]).to.match(/^paused: the key has no requests left this month/);
  });

  it("an unresponsive service costs at most the deadline, and nothing after five failures", async () => {
    respond = () => {};
    const { locate, codes } = create({ timeoutMs: 30 });
    for (let i = 0; i < 7; i += 1) expect(await locate(`192.0.2.${i}`)).to.include({ country: null, partial: true });
    expect(codes()).to.deep.equal(Array(5).fill("timeout"));
    expect(received).to.have.length(5);
    const { locate: throwing } = create({ timeoutMs: 30, throwErrors: true });
    for (let i = 0; i < 5; i += 1) expect(await throwing().catch(({ code }) => code)).to.equal("timeout");
    expect(await throwing().catch(({ message }) => message)).to.match(/^geolookup has failed repeatedly/);
  });

  it("waits 150 ms by default", async () => {
    respond = () => {};
    const { locate, errors } = create({ timeoutMs: undefined });
    await locate();
    expect(errors[0]?.message).to.equal("no response within 150 ms");
  });

  const responses: [what: string, respond: typeof respond, code: string][] = [
    ["a closed connection", (_, req) => req.socket.destroy(), "network"],
    ["HTML", (res) => res.writeHead(200, HEADERS).end("<html>"), "unreadable"],
    ["a list", (res) => res.writeHead(200, HEADERS).end("[]"), "unreadable"],
    ["a redirect", (res) => res.writeHead(302, { Location: "http://127.0.0.1:1" }).end(), "unreadable"],
    ["a long response", (res) => res.writeHead(200, HEADERS).end(`"${"a".repeat(70_000)}"`), "unreadable"],
    ["a proxy's error", (res) => res.writeHead(502).end("Bad gateway"), "unreadable"],
  ];
  for (const [what, sent, code] of responses)
    it(`${what}: returns nulls, with the error ${code}`, async () => {
      respond = sent;
      const { locate, codes } = create();
      expect(await locate()).to.include({ country: null, partial: true });
      expect(codes()).to.deep.equal([code]);
      const { locate: throwing } = create({ throwErrors: true });
      expect(await throwing().catch((error) => error)).to.include({ name: "GeolookupError", code });
    });

  for (const ip of [null, "", "shop.test", "192.0.2.7, 192.0.2.8"])
    it(`the visitor ${JSON.stringify(ip)}: no_address, without a request`, async () => {
      const { locate, codes } = create();
      expect(await locate(ip)).to.include({ country: null, partial: true });
      expect([codes(), received.length]).to.deep.equal([["no_address"], 0]);
    });

  it("a Web Request without `ip`: no_address, even with X-Forwarded-For", async () => {
    const errors: string[] = [];
    const geolookup = createGeolookup({ url, trustProxy: ["loopback"], onError: ({ code }) => errors.push(code) });
    const request = new Request("http://shop.test", { headers: { "X-Forwarded-For": VISITOR } });
    // @ts-expect-error: `ip` is required
    expect(await geolookup.locate(request)).to.include({ country: null, partial: true });
    expect([errors, received.length]).to.deep.equal([["no_address"], 0]);
  });

  it("an onError that throws doesn't break the page", async () => {
    refuse(401, "revoked_key");
    const onError = () => {
      throw new Error("the logger is down");
    };
    expect(await create({ onError }).locate()).to.include({ country: null, partial: true });
    expect(warnings[1]).to.equal("geolookup: onError threw: Error: the logger is down");
  });

  it("logs what the service ignored once each, except that the plan lacks the field `ip`, which the package added", async () => {
    const notice = 'unknown field "town"; "ip" is not in plan "free"';
    respond = (res) => res.writeHead(200, { ...HEADERS, "X-Geolookup-Notice": notice }).end(JSON.stringify(RECORD));
    const { locate } = create({ fields: ["city"], cache: false });
    for (let count = 0; count < 3; count += 1) expect(await locate()).to.deep.equal({ city: "Berlin", country: "DE" });
    expect(warnings).to.deep.equal(['geolookup: unknown field "town"']);
    await create({ cache: false }).locate();
    expect(warnings.slice(1)).to.deep.equal([
      'geolookup: unknown field "town"',
      'geolookup: "ip" is not in plan "free"',
    ]);
  });

  it("accepts a record of the visitor's address, and logs no notice about the header that it was found by", async () => {
    const headers = { ...HEADERS, "X-Geolookup-Notice": `${OWN_LOCATION}; unknown field "town"` };
    respond = (res) => res.writeHead(200, headers).end(JSON.stringify(RECORD));
    expect(await create().locate()).to.deep.equal(RECORD);
    expect(warnings).to.deep.equal(['geolookup: unknown field "town"']);
  });

  it("logs at most 20 different notices", async () => {
    respond = (res) =>
      res.writeHead(200, { ...HEADERS, "X-Geolookup-Notice": `note ${received.length}` }).end(JSON.stringify(RECORD));
    const { locate } = create({ cache: false });
    for (let count = 0; count < 25; count += 1) await locate();
    expect(warnings).to.have.length(20);
  });

  for (const [what, peer, forwardedFor, trustProxy, isWarned] of [
    ["a proxy on this machine", "::ffff:127.0.0.1", VISITOR, undefined, true],
    ["a proxy on the network", "10.1.2.3", VISITOR, ["loopback"], true],
    ["a trusted proxy", "10.1.2.3", VISITOR, ["uniquelocal"], false],
    ["a visitor who sends the header", "198.51.100.1", VISITOR, undefined, false],
    ["no header", "127.0.0.1", undefined, undefined, false],
  ] as const)
    it(`${what}: ${isWarned ? "warns once" : "no warning"}`, async () => {
      const geolookup = createGeolookup({
        url,
        timeoutMs: TIMEOUT_MS,
        trustProxy,
        onError: () => {},
        throwErrors: false,
      });
      const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
      const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
      for (let count = 0; count < 2; count += 1) await geolookup.locate(request);
      const about = warnings.filter((line) => line.includes("trustProxy"));
      expect(about).to.have.length(isWarned ? 1 : 0);
      if (isWarned)
        expect(about[0])
          .to.match(/Set trustProxy: \["loopback"\]/)
          .and.not.match(/[0-9]/);
    });

  it("refuses invalid options", () => {
    for (const options of [
      { url: "geo.example.com" },
      { url: "https://geo.example.com/?a" },
      { key: "" },
      { key: undefined },
      { fields: [] },
      { timeoutMs: 0 },
      { cache: { maxEntries: -1 } },
      { trustProxy: ["10.0.0.0/99"] },
    ] as Partial<GeolookupOptions>[])
      expect(() => createGeolookup({ url, ...options }), JSON.stringify(options)).to.throw(TypeError);
  });
});
