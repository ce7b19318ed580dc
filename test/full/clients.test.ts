import { execFile, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { createGeolookup } from "../../packages/server/src/geolookup.ts";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { testAuthority } from "../harness/certificates.ts";
import { buildGo, CLIENTS, startIn, startNginx } from "../harness/clients.ts";
import { startDebianServer } from "../harness/debian-server.ts";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { installPrograms } from "../harness/install-programs.ts";
import { sample, withOwnValues } from "../harness/samples.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";
import { FRAMEWORKS, LANGUAGES, SAMPLES } from "./clients/programs.ts";

const DEADLINE_MS = 20_000;
const run = promisify(execFile);
const NEEDED: readonly string[] = [
  ...["nginx", "curl", "python3", "python3-flask", "python3-django", "python3-fastapi", "python3-uvicorn", "go"],
  ...["php", "php-curl", "php-apcu", "php-guzzlehttp-guzzle", "php-laravel-framework", "rackup", "ruby-actionpack"],
];

/** Who connects to nginx, the X-Forwarded-For that they send, the visitor, and the visitor's city. 10.0.0.0/8 are proxies. */
const CHAINS: readonly (readonly [peer: string, sent: string | undefined, visitor: string, city: string])[] = [
  ["44.1.2.3", "51.7.0.9", "44.1.2.3", "Rainhaven"],
  ["51.7.0.9", undefined, "51.7.0.9", "Upper Testing"],
  ["10.1.2.3", "51.7.0.9, 44.1.2.4", "44.1.2.4", "Rainhaven"],
  ["10.1.2.3", "44.1.2.3, 51.7.0.10, 10.9.9.9", "51.7.0.10", "Upper Testing"],
  ["2a0e:1234::7", "51.7.0.9, 10.0.0.1, 127.0.0.1", "2a0e:1234::7", "Rainhaven"],
  ["44.1.2.5", "garbage, 127.0.0.1", "44.1.2.5", "Rainhaven"],
];

describe("the clients for Python, Go, PHP and Ruby, behind nginx", function () {
  this.timeout(180_000);
  let service: Deployment;
  /** The same service behind a proxy that it trusts: its responses always vary by X-Forwarded-For. */
  let proxied: Deployment;
  let key: string;
  /** In front of the service, with TLS. */
  let relay: Server;
  /** The addresses that were looked up. */
  let lookups: unknown[] = [];
  /** Responds in place of the service. */
  let respond: ((res: ServerResponse) => void) | undefined;
  /** Sent in place of the client's own key. */
  let replacedKey: string | undefined;
  /** If set, the relay is the proxy of `proxied`, and appends this address of the back end to X-Forwarded-For. */
  let backEnd: string | undefined;

  before(async function () {
    // Downloads from Debian's mirrors.
    this.timeout(600_000);
    installPrograms(...NEEDED);
    // These back ends may forward only because of their key.
    service = await startStandalone({ TRUST_PROXY: "none", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
    ({ key } = await service.issueKey({ kind: "secret", forward: true }));
    proxied = await startStandalone({ TRUST_PROXY: "127.0.0.1", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
    const { certFile, keyFile } = testAuthority().issue();
    relay = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (req, res) => {
      lookups.push(req.headers["x-forwarded-for"]);
      if (respond) return respond(res);
      const headers = { ...req.headers };
      if (replacedKey !== undefined) headers.authorization = `Bearer ${replacedKey}`;
      if (backEnd !== undefined) headers["x-forwarded-for"] += `, ${backEnd}`;
      // Without `ip`, as in the free plan.
      const target = backEnd === undefined ? `${service.url}${req.url}` : `${proxied.url}${req.url}?fields=city`;
      const sent = request(target, { headers }, (response) => {
        res.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(res);
      });
      sent.on("error", () => res.destroy());
      sent.end();
    }).listen(0, "127.0.0.1");
    await once(relay, "listening");
  });
  beforeEach(() => {
    lookups = [];
    respond = undefined;
    replacedKey = undefined;
    backEnd = undefined;
  });
  after(async () => {
    relay?.closeAllConnections();
    relay?.close();
    await service?.[Symbol.asyncDispose]();
    await proxied?.[Symbol.asyncDispose]();
  });

  for (const program of [...LANGUAGES, ...FRAMEWORKS])
    describe(program.name, () => {
      let folder: string;
      let appUrl: string;
      let nginxUrl: string;
      const stops: (() => unknown)[] = [];
      const output = () => readFileSync(join(folder, "output"), "utf8");
      const say = async (peer: string, sent?: string) => {
        const headers = { "X-Visitor": peer, ...(sent !== undefined && { "X-Forwarded-For": sent }) };
        return (await send(nginxUrl, { path: "/", headers })).text;
      };
      const expectCity = async (peer: string, sent: string | undefined, city: string) => {
        // A busy machine may miss the client's deadline.
        await waitFor("a location", async () => !(await say(peer, sent)).includes("visitor"), DEADLINE_MS);
        expect(await say(peer, sent)).to.include(`Hello, ${city}!`);
      };

      before(async () => {
        const port = await freePort();
        appUrl = `http://127.0.0.1:${port}`;
        folder = tempFolder();
        copyFileSync("test/full/clients/laravel.php", join(folder, "laravel.php"));
        for (const [name, text] of Object.entries(program.files))
          writeFileSync(
            join(folder, name),
            text
              .replace("https://geo.example.com", `https://127.0.0.1:${(relay.address() as AddressInfo).port}`)
              .replace("8000", `${port}`),
          );
        const { install } = SAMPLES[program.language];
        const own = withOwnValues(install, { docsUrl: service.portalUrl, apiUrl: service.url }, key);
        execFileSync("sh", ["-ec", own], { cwd: folder, stdio: "pipe" });
        if (program.language === "Go") buildGo(folder);
        if (program.name === "Node.js")
          symlinkSync(resolve("node_modules/express"), join(folder, "node_modules/express"));
        const isReady = () => send(appUrl, { path: "/" }).then(Boolean, () => false);
        // As read from a file, with the end of its line.
        const ownKey = LANGUAGES.includes(program) ? `${key}\n` : key;
        stops.push(await startIn(folder, program.command(port, folder), ownKey, isReady));
        const nginx = await startNginx(port);
        nginxUrl = nginx.url;
        stops.push(nginx.stop);
      });
      after(async () => {
        for (const stop of stops) await stop();
      });

      for (const [peer, sent, visitor, city] of CHAINS)
        it(`locates ${visitor} if nginx gets a request from ${peer} with ${sent ?? "no header"}`, async () => {
          await expectCity(peer, sent, city);
          expect([...new Set(lookups)]).to.deep.equal([visitor]);
        });

      it("ignores a header from this machine only if it comes from an address that isn't listed, as in the guide", async () => {
        const own = sample("/back-end", "curl --interface").replace("http://127.0.0.1", nginxUrl);
        for (const each of [own, own.replace("--interface 127.0.0.2", "")]) await run("sh", ["-c", each]);
        expect(lookups).to.deep.equal(["127.0.0.2", "81.2.69.142"]);
      });

      it("locates a visitor whom curl stands in for, as in the guide", async () => {
        const command = sample("/back-end", "http://127.0.0.1:8000/")
          .replace("http://127.0.0.1:8000", appUrl)
          .replace("81.2.69.142", "44.2.0.13");
        const greeting = async () => (await run("sh", ["-c", command])).stdout;
        await waitFor("a location", async () => (await greeting()).includes("Hello, Rainhaven!"), DEADLINE_MS);
      });

      it("ignores a visitor's own header line before the proxy's", async () => {
        const headers = { "X-Forwarded-For": ["51.7.0.9", "44.1.2.6"] };
        const city = async () => (await send(appUrl, { path: "/", headers })).text;
        await waitFor("a location", async () => !(await city()).includes("visitor"), DEADLINE_MS);
        expect(await city()).to.include("Rainhaven");
      });

      if (Object.values(program.files).some((text) => /timeout/i.test(text)))
        it("waits as long as the guide's setting says", async () => {
          // Longer than by default.
          respond = (res) =>
            void setTimeout(() => res.setHeader("Vary", "X-Forwarded-For").end('{"city":"Late"}'), 700);
          await expectCity("44.2.0.12", undefined, "Late");
        });

      if (!LANGUAGES.includes(program)) return;

      it("caches a visitor's record", async () => {
        await expectCity("44.2.0.1", undefined, "Rainhaven");
        const { length } = lookups;
        for (let i = 0; i < 3; i += 1) await expectCity("44.2.0.1", undefined, "Rainhaven");
        expect(lookups).to.have.length(length);
      });

      it("returns nothing, and logs why, if its key can't look up visitors", async () => {
        replacedKey = (await service.issueKey({ kind: "secret" })).key;
        const warns = async () => {
          expect(await say("44.2.0.2")).to.include("Hello, visitor!");
          return output().includes("--forward");
        };
        await waitFor("a warning", warns, DEADLINE_MS);
      });

      it("returns nothing if the API is behind a proxy, and its key can't look up visitors, without an address to compare", async () => {
        backEnd = "51.7.0.9";
        replacedKey = (await proxied.issueKey({ kind: "secret" })).key;
        expect(await say("44.2.0.9")).to.include("Hello, visitor!");
        expect(lookups).to.deep.equal(["44.2.0.9"]);
        replacedKey = (await proxied.issueKey({ kind: "secret", forward: true })).key;
        await expectCity("44.2.0.9", undefined, "Rainhaven");
      });

      it("returns nothing, and logs the service's message, if its key is unknown", async () => {
        replacedKey = "geo_sk_unknown";
        const warns = async () => {
          expect(await say("44.2.0.3")).to.include("Hello, visitor!");
          return output().includes("/errors/malformed_key");
        };
        await waitFor("a warning", warns, DEADLINE_MS);
      });

      for (const [what, ip, vary] of [
        ["another address", "51.7.0.9", "X-Forwarded-For"],
        ["its own address, by Vary", undefined, "Accept-Encoding, X-Forwarded-For-Other"],
      ] as const)
        it(`returns nothing if the record is of ${what}`, async () => {
          respond = (res) => res.setHeader("Vary", vary).end(JSON.stringify({ ip, city: "Upper Testing" }));
          expect(await say("44.2.0.4")).to.include("Hello, visitor!");
          expect(lookups).to.deep.equal(["44.2.0.4"]);
        });

      it("accepts a record of the visitor's address, whatever the notice says", async () => {
        respond = (res) => {
          res.setHeader("Vary", "X-Forwarded-For").setHeader("X-Geolookup-Notice", "this is the sender's own location");
          res.end(JSON.stringify({ ip: "44.2.0.10", city: "Elsewhere" }));
        };
        await expectCity("44.2.0.10", undefined, "Elsewhere");
      });

      it("accepts a record without an address, and Vary in any case", async () => {
        respond = (res) => res.setHeader("Vary", "Origin,x-forwarded-for").end(JSON.stringify({ city: "Elsewhere" }));
        await expectCity("44.2.0.5", undefined, "Elsewhere");
      });

      for (const [what, body] of [
        ["a page", "<h1>Bad gateway</h1>"],
        ["a list", "[]"],
        ["null", "null"],
        ["an error of another kind", '{"error":"no"}'],
      ])
        for (const status of [200, 502])
          it(`returns nothing if it gets ${what} with status ${status}`, async () => {
            respond = (res) => res.writeHead(status, { Vary: "X-Forwarded-For" }).end(body);
            expect(await say("44.2.0.6")).to.include("Hello, visitor!");
          });

      it("doesn't send its key where a redirect leads", async () => {
        respond = (res) => res.writeHead(302, { Location: "/elsewhere", Vary: "X-Forwarded-For" }).end();
        expect(await say("44.2.0.7")).to.include("Hello, visitor!");
        expect(lookups).to.deep.equal(["44.2.0.7"]);
      });

      it("waits no longer than its deadline for the whole response", async () => {
        respond = (res) => {
          res.writeHead(200, { Vary: "X-Forwarded-For" });
          const sending = setInterval(() => res.write(" "), 50);
          res.once("close", () => clearInterval(sending));
        };
        expect(await say("44.2.0.8")).to.include("Hello, visitor!");
      });

      it("logs no address of a visitor", () => expect(output()).to.not.match(/44\.[12]\.|2a0e:|51\.7\./));
    });
});

describe("the other code in the guide", () => {
  before(() => installPrograms("curl"));

  it("locates a visitor with curl", async () => {
    await using service = await startStandalone({ TRUST_PROXY: "none", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
    const { key } = await service.issueKey({ kind: "secret", forward: true });
    const command = sample("/back-end", "https://geo.example.com/v1/geo").replace("81.2.69.142", "44.1.2.3");
    const own = withOwnValues(command, { docsUrl: service.portalUrl, apiUrl: service.url }, key);
    expect(execFileSync("sh", ["-c", own], { encoding: "utf8", stdio: "pipe" })).to.include('"city":"Rainhaven"');
  });

  it("mocks the API", async () => {
    const port = await freePort();
    const code = sample("/back-end", "x-forwarded-for").replace("8080", `${port}`);
    const args = ["--input-type=module", "--eval", code];
    const isReady = () => send(`http://127.0.0.1:${port}`).then(Boolean, () => false);
    const stop = await startDebianServer({ program: process.execPath, args, isReady });
    try {
      const geolookup = createGeolookup({ url: `http://127.0.0.1:${port}`, timeoutMs: DEADLINE_MS });
      const located = await geolookup.locate(new Request("http://shop.example.com"), { ip: "44.1.2.3" });
      expect(located).to.include({ ip: "44.1.2.3", city: "London" });
    } finally {
      await stop("SIGKILL");
    }
  });
});

describe("geolookup.php", () => {
  before(() => installPrograms("php", "php-curl"));

  const run = (url: string, key: string) => {
    const code = `declare(strict_types=1); require "geolookup.php"; echo json_encode((new Geolookup("${url}", ${key}))->locate("44.1.2.3"));`;
    return spawnSync("php", ["-r", code], { cwd: CLIENTS, encoding: "utf8" });
  };

  for (const key of ['getenv("GEO_KEY_UNSET")', "null", '" "'])
    it(`returns nothing, and logs why, if the key is ${key}`, () => {
      const { stdout, stderr } = run("http://127.0.0.1", key);
      expect(stdout).to.equal("null");
      expect(stderr).to.include("the key is empty").and.not.include("44.1");
    });

  it("refuses a wrong base URL", () => expect(run("geo.example.com", '"key"').status).to.equal(255));
});
