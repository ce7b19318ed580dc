import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readFeedSources } from "@geolookup/geo/geofeed/feed-source.ts";
import { capturingLog } from "@geolookup/geo/testing/fixtures.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { testAuthority } from "../../../../test/harness/certificates.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { createGuardedFetch } from "../download/guarded-fetch.ts";
import { downloadDueFeeds } from "./keep-downloading.ts";

const FEED = "# ours\n9.8.7.0/24,US,US-WA,Seattle,\n9.8.6.0/24,XY\n9.0.0.0/8,US\n1.2.3.0/24,US\n2a00:1450:1::/48,FR\n";
const HOUR_MS = 3_600_000;
const PATIENCE = { attempts: 1, retryDelayMs: 1, silenceMs: 1_500, totalMs: 20_000, longestWaitMs: 1 };

/** 150 MB of comments. */
const BOMB = gzipSync(Buffer.alloc(150_000_000, "#\n"));

describe("geofeeds by URL", () => {
  const resources = new AsyncDisposableStack();
  let origin: string;
  let serve: (req: IncomingMessage, res: ServerResponse) => void;
  let folder: string;
  let nowMs: number;
  let requests: IncomingMessage["headers"][];
  let lines: Record<string, unknown>[];

  before(async () => {
    const { certFile, keyFile } = testAuthority().issue({ names: ["IP:127.0.0.1"] });
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (req, res) => {
      requests.push(req.headers);
      serve(req, res);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    resources.defer(() => {
      server.close();
      server.closeAllConnections();
    });
  });
  after(() => resources.disposeAsync());
  beforeEach(() => {
    folder = join(tempFolder(), "geofeeds");
    nowMs = Date.UTC(2026, 10, 22);
    requests = [];
    serve = (_req, res) => res.end(FEED);
  });

  const run = async (setting: string) => {
    const captured = capturingLog();
    lines = captured.lines;
    const sources = readFeedSources({ GEOFEED_URLS: setting.replaceAll("ORIGIN", origin) });
    const patience = { ...PATIENCE, fetch: createGuardedFetch({ ca: testAuthority().ca }) };
    return downloadDueFeeds({ sources, folder, patience, log: captured.log, now: () => nowMs, random: () => 0 });
  };
  const ours = "ORIGIN/feed.csv?token=s3cret 9.8.0.0/16 2a00:1450::/32";
  const files = () => readdirSync(folder).filter((name) => !name.startsWith("."));
  const copy = (index = 0) => readFileSync(join(folder, files()[index] ?? ""), "utf8");
  const USED = "9.8.7.0/24,US,US-WA,Seattle,\n9.8.6.0/24,XY\n2a00:1450:1::/48,FR\n";

  it("are stored with only the lines within the prefixes that the operator allows", async () => {
    const feeds = await run(ours);
    expect(copy()).to.equal(USED);
    expect(files()[0]).to.match(/^01-127\.0\.0\.1-[0-9a-f]{8}\.csv$/);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ level: "info", used: 3, outside: 2, msg: "geofeed download succeeded" });
    expect(Object.values(feeds)[0]).to.include({ problem: null, nextAt: "2026-11-23T00:00:00.000Z" });
  });

  it("are downloaded again when they are due, and only if they have changed", async () => {
    serve = (req, res) => {
      res.writeHead(req.headers["if-none-match"] === '"1"' ? 304 : 200, {
        etag: '"1"',
        "cache-control": "public, max-age=7200",
      });
      res.end(req.headers["if-none-match"] === '"1"' ? undefined : FEED);
    };
    await run(ours);
    nowMs += 2 * HOUR_MS - 1;
    await run(ours);
    expect(requests).to.have.length(1);
    nowMs += 1;
    await run(ours);
    expect(requests.map((headers) => headers["if-none-match"])).to.deep.equal([undefined, '"1"']);
    expect([copy(), lines[0]?.unchanged]).to.deep.equal([USED, true]);
  });

  for (const [cacheControl, hours] of [
    ["max-age=1", 1],
    ["max-age=999999", 24],
    ["no-store", 24],
  ] as const)
    it(`with Cache-Control: ${cacheControl} are fetched every ${hours} h`, async () => {
      serve = (_req, res) => res.setHeader("cache-control", cacheControl).end(FEED);
      const [feed] = Object.values(await run(ours));
      expect(Date.parse(feed?.nextAt ?? "")).to.equal(nowMs + hours * HOUR_MS);
    });

  const failures: Record<string, [(req: IncomingMessage, res: ServerResponse) => void, RegExp]> = {
    "responds with an error": [(_req, res) => res.writeHead(404).end("gone"), /responded with 404/],
    "responds with a page": [(_req, res) => res.end("<html>Sign in</html>"), /has no line with a valid prefix/],
    "is empty": [(_req, res) => res.end(), /has no line with a valid prefix/],
    "has only others' prefixes": [(_req, res) => res.end("8.8.8.0/24,US\n"), /none of the 1 prefixes/],
    "has only bad countries": [(_req, res) => res.end("9.8.7.0/24,XY\n"), /none of its lines can be used/],
    "never ends": [
      (_req, res) => {
        const line = "9.8.7.0/24,US\n".repeat(100_000);
        // A destroyed connection only reports an error.
        const more = (error?: Error | null) => error || res.destroyed || res.write(line, more);
        more();
      },
      /larger than 100000000 bytes|took longer than/,
    ],
    "is a bomb": [
      (_req, res) => res.writeHead(200, { "content-encoding": "gzip" }).end(BOMB),
      /larger than 100000000 bytes|took longer than/,
    ],
    "doesn't respond": [() => {}, /nothing arrived/],
    "breaks off": [(_req, res) => void res.write(FEED, () => res.destroy()), /cannot download/],
    "redirects without TLS": [
      (_req, res) => res.writeHead(302, { location: "http://127.0.0.1/" }).end(),
      /without TLS/,
    ],
    "redirects to a private address": [
      (_req, res) => res.writeHead(302, { location: "https://10.0.0.1/" }).end(),
      /isn't public/,
    ],
    "redirects in a circle": [(_req, res) => res.writeHead(302, { location: "/" }).end(), /more than 3 times/],
  };
  for (const [what, [failing, problem]] of Object.entries(failures))
    it(`don't change if the server ${what}, which logs one line`, async () => {
      await run(ours);
      nowMs += 24 * HOUR_MS;
      serve = failing;
      const [first] = Object.values(await run(ours));
      expect(copy()).to.equal(USED);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include({ level: "warn", msg: "geofeed download failed; the previous copy stays in use" });
      expect(first?.problem).to.match(problem).and.to.not.include("s3cret");
      expect(Date.parse(first?.nextAt ?? "")).to.equal(nowMs + HOUR_MS);
      nowMs += HOUR_MS;
      serve = (_req, res) => res.end("9.8.7.0/24,DE\n");
      await run(ours);
      expect(copy()).to.equal("9.8.7.0/24,DE\n");
    });

  it("immediately lose lines that are no longer allowed, even if the server is unreachable", async () => {
    await run(ours);
    serve = (_req, res) => res.destroy();
    await run("ORIGIN/feed.csv?token=s3cret 9.8.7.0/24");
    expect(copy()).to.equal("9.8.7.0/24,US,US-WA,Seattle,\n");
    serve = (_req, res) => res.end(FEED);
    await run(ours);
    expect(copy()).to.equal(USED);
    expect(requests.at(-1)).to.not.have.property("if-none-match");
  });

  it("keep the order of GEOFEED_URLS, and are removed when it no longer names them", async () => {
    const [a, b] = ["ORIGIN/a.csv 9.8.7.0/24", "ORIGIN/b.csv 2a00:1450::/32"];
    await run(`${a}, ${b}`);
    expect([copy(0).slice(0, 5), copy(1).slice(0, 5)]).to.deep.equal(["9.8.7", "2a00:"]);
    await run(`${b}, ${a}`);
    expect([copy(0).slice(0, 5), copy(1).slice(0, 5), requests.length]).to.deep.equal(["2a00:", "9.8.7", 2]);
    await run(a);
    expect([files().length, copy(0).slice(0, 5)]).to.deep.equal([1, "9.8.7"]);
    await run("");
    expect(existsSync(folder)).to.equal(false);
  });

  it("are downloaded again if the state file is damaged", async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, ".downloads.json"), "{");
    await run(ours);
    expect(copy()).to.equal(USED);
  });

  for (const [setting, problem] of [
    ["http://example.com/feed.csv 9.0.0.0/8", /must be https:\/\/ URLs/],
    ["https://user:pw@example.com/feed.csv 9.0.0.0/8", /without credentials/],
    ["https://example.com/feed.csv", /must say which prefixes https:\/\/example.com\/feed.csv may correct/],
    ["https://example.com/feed.csv 9.8.7.6/8", /has an invalid prefix/],
    ["https://example.com/a 9.0.0.0/8,https://example.com/a 8.0.0.0/8", /a URL twice/],
  ] as const)
    it(`are refused: ${setting}`, () => {
      expect(() => readFeedSources({ GEOFEED_URLS: setting })).to.throw(StartError, problem);
    });
});
