import { execFile, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { canonicalAddress, clientAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { expect } from "chai";
import fc from "fast-check";
import { createGeolookup } from "../../packages/server/src/geolookup.ts";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { testAuthority } from "../harness/certificates.ts";
import { startDebianServer } from "../harness/debian-server.ts";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { installPrograms } from "../harness/install-programs.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const GUIDE = readFileSync("docs/site/back-end.md", "utf8");
const CLIENTS = "packages/clients";
const API_URL = "https://geo.example.com";
const DOCS_URL = "https://docs.geo.example.com";
const DEADLINE_MS = 20_000;
const run = promisify(execFile);
const NEEDED: readonly string[] = [
  ...["nginx", "curl", "python3", "python3-flask", "python3-django", "python3-fastapi", "python3-uvicorn", "go"],
  ...["php", "php-curl", "php-apcu", "php-guzzlehttp-guzzle", "php-laravel-framework", "rackup", "ruby-actionpack"],
];

/** Debian's own Python has Debian's modules. */
const PYTHON = "/usr/bin/python3";
const WSGI =
  "import sys; from wsgiref.simple_server import make_server; from app import app; make_server('127.0.0.1', int(sys.argv[1]), app).serve_forever()";
const SETTINGS = '("https://geo.example.com", os.environ["GEO_KEY"], trusted_proxies=["127.0.0.1", "10.0.0.0/8"])';
const PYTHON_START = `import os\nfrom geolookup import Geolookup\ngeo = Geolookup${SETTINGS}\n`;

/** The guide's server without Express, after what it shares with the one for Express. */
const WITHOUT_FRAMEWORK = `import http from "node:http";
${tab("Node.js")
  .replace(/^const app = .*/ms, "")
  .replace(/^import (?!.*"@geolookup\/server").*\n/gm, "")}
${/^http\.createServer.*?^\}.*?$/ms.exec(GUIDE)?.[0]}`;

/** An application that says hello to its visitors' cities. */
interface Program {
  name: string;
  /** The tab with the command that installs the client. Default: that of its name. */
  language?: string;
  files: Readonly<Record<string, string>>;
  command: (port: number, folder: string) => readonly [string, ...string[]];
}

const wsgi = (port: number) => [PYTHON, "-c", WSGI, `${port}`] as const;
/** Without Rack's own log of visitors. */
const rackup = (port: number) => ["rackup", "--env", "none", "--host", "127.0.0.1", "--port", `${port}`] as const;
const php = (script: string) => (port: number) =>
  ["php", "-d", `curl.cainfo=${testAuthority().caFile}`, "-S", `127.0.0.1:${port}`, script] as const;

/** The guide's programs. */
const LANGUAGES: readonly Program[] = [
  { name: "Python", files: { "app.py": tab("Python") }, command: wsgi },
  {
    name: "Go",
    files: { "main.go": tab("Go"), "go.mod": "module example.com/shop\n\ngo 1.19\n" },
    command: (_, folder) => [join(folder, "main")],
  },
  { name: "PHP", files: { "index.php": tab("PHP") }, command: php("index.php") },
  { name: "Ruby", files: { "config.ru": tab("Ruby") }, command: rackup },
];

/** The package, which has tests of its own, and the guide's calls, each in the smallest application of its framework. */
const FRAMEWORKS: readonly Program[] = [
  {
    name: "Node.js",
    files: { "package.json": '{"type":"module"}', "app.js": tab("Node.js") },
    command: () => [process.execPath, "app.js"],
  },
  {
    name: "Node.js without a framework",
    language: "Node.js",
    files: { "package.json": '{"type":"module"}', "app.js": WITHOUT_FRAMEWORK },
    command: () => [process.execPath, "app.js"],
  },
  {
    name: "Flask",
    language: "Python",
    files: {
      "app.py": `${PYTHON_START}from flask import Flask, request
app = Flask(__name__)
@app.get("/")
def hello():
    record = ${call("Flask")} or {}
    return f"Hello, {record.get('city') or 'visitor'}!"
`,
    },
    command: wsgi,
  },
  {
    name: "Django",
    language: "Python",
    files: {
      "app.py": `${PYTHON_START}from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"])
def hello(request):
    record = ${call("Django")} or {}
    return HttpResponse(f"Hello, {record.get('city') or 'visitor'}!")
urlpatterns = [path("", hello)]
app = get_wsgi_application()
`,
    },
    command: wsgi,
  },
  {
    name: "FastAPI",
    language: "Python",
    files: {
      "app.py": `${PYTHON_START}from fastapi import FastAPI, Request
app = FastAPI()
@app.get("/")
def hello(request: Request):
    record = ${call("FastAPI")} or {}
    return f"Hello, {record.get('city') or 'visitor'}!"
`,
    },
    command: (port) => [PYTHON, "-m", "uvicorn", "app:app", "--port", `${port}`],
  },
  {
    name: "Laravel",
    language: "PHP",
    files: {
      "web.php": `<?php
use Illuminate\\Http\\Request;
use Illuminate\\Support\\Facades\\Route;
require __DIR__ . '/geolookup.php';
$geo = new Geolookup('https://geo.example.com', getenv('GEO_KEY'), ['127.0.0.1', '10.0.0.0/8']);
Route::get('/', fn (Request $request) => 'Hello, ' . (${call("Laravel")}['city'] ?? 'visitor') . '!');
`,
    },
    command: php("laravel.php"),
  },
  {
    name: "Rails",
    language: "Ruby",
    files: {
      "config.ru": `require "active_support"
require "action_dispatch"
require_relative "geolookup"
geo = Geolookup.new("https://geo.example.com", ENV.fetch("GEO_KEY"), trusted_proxies: ["127.0.0.1", "10.0.0.0/8"])
run ->(env) {
  request = ActionDispatch::Request.new(env)
  [200, { "content-type" => "text/plain" }, ["Hello, #{(${call("Rails")} || {})["city"] || "visitor"}!"]]
}
`,
    },
    command: rackup,
  },
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
              .replace(API_URL, `https://127.0.0.1:${(relay.address() as AddressInfo).port}`)
              .replace("8000", `${port}`),
          );
        const install = tab(program.language ?? program.name, "sh").replace(DOCS_URL, service.portalUrl);
        execFileSync("sh", ["-c", install], { cwd: folder, stdio: "pipe" });
        if (program.name === "Go") buildGo(folder);
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
        const [, command = ""] = /^```sh\n(curl --interface .*?)^```/ms.exec(GUIDE) ?? [];
        const own = command.replace("http://127.0.0.1", nginxUrl);
        for (const each of [own, own.replace("--interface 127.0.0.2", "")]) await run("sh", ["-c", each]);
        expect(lookups).to.deep.equal(["127.0.0.2", "81.2.69.142"]);
      });

      it("ignores a visitor's own header line before the proxy's", async () => {
        const headers = { "X-Forwarded-For": ["51.7.0.9", "44.1.2.6"] };
        const city = async () => (await send(appUrl, { path: "/", headers })).text;
        await waitFor("a location", async () => !(await city()).includes("visitor"), DEADLINE_MS);
        expect(await city()).to.include("Rainhaven");
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
    const [, command = ""] = /^```sh curl\n(.*?)^```/ms.exec(GUIDE) ?? [];
    const own = command.replace(API_URL, service.url).replace("geo_sk_…", key).replace("81.2.69.142", "44.1.2.3");
    expect(execFileSync("sh", ["-c", own], { encoding: "utf8", stdio: "pipe" })).to.include('"city":"Rainhaven"');
  });

  it("mocks the API", async () => {
    const [, code = ""] = /^```js\n(import \{ createServer .*?)^```/ms.exec(GUIDE) ?? [];
    const port = await freePort();
    const args = ["--input-type=module", "--eval", code.replace("8080", `${port}`)];
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

const TRUSTED = ["127.0.0.0/8", "::1", "10.0.0.0/8", "192.0.2.0/24", "2001:db8:1::/48"];

/** Programs that read a list of proxies and one of peers and headers, and print the visitors. */
const VISITORS: readonly (readonly [client: string, file: string, command: readonly string[], text: string])[] = [
  [
    "geolookup.py",
    "visitors.py",
    [PYTHON, "visitors.py"],
    `import json, sys
from geolookup import Geolookup
proxies, requests = json.load(sys.stdin)
geo = Geolookup("http://127.0.0.1", "key", proxies)
print(json.dumps([geo.visitor(*each) for each in requests]))
`,
  ],
  [
    "geolookup.go",
    "main.go",
    ["go", "run", "."],
    `package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"

	"example.com/shop/geolookup"
)

func main() {
	var proxies []string
	var requests [][]*string
	if err := json.NewDecoder(os.Stdin).Decode(&[]any{&proxies, &requests}); err != nil {
		panic(err)
	}
	geo, err := geolookup.New("http://127.0.0.1", "key", proxies...)
	if err != nil {
		panic(err)
	}
	visitors := []string{}
	for _, each := range requests {
		request := &http.Request{RemoteAddr: net.JoinHostPort(*each[0], "1"), Header: http.Header{}}
		if each[1] != nil {
			request.Header.Set("X-Forwarded-For", *each[1])
		}
		visitors = append(visitors, geo.Visitor(request).String())
	}
	json.NewEncoder(os.Stdout).Encode(visitors)
}
`,
  ],
  [
    "geolookup.php",
    "visitors.php",
    ["php", "visitors.php"],
    `<?php
require 'geolookup.php';
[$proxies, $requests] = json_decode(file_get_contents('php://stdin'));
$geo = new Geolookup('http://127.0.0.1', 'key', $proxies);
echo json_encode(array_map(fn ($each) => $geo->visitor(...$each), $requests));
`,
  ],
  [
    "geolookup.rb",
    "visitors.rb",
    ["ruby", "visitors.rb"],
    `require_relative "geolookup"
proxies, requests = JSON.parse($stdin.read)
geo = Geolookup.new("http://127.0.0.1", "key", trusted_proxies: proxies)
puts JSON.dump(requests.map { |each| geo.visitor(*each) })
`,
  ],
];

describe("who the visitor is", function () {
  this.timeout(180_000);
  const address = fc.oneof(
    fc.ipV4(),
    // Ruby doesn't know every form with a dotted tail. No proxy writes them.
    fc.ipV6().filter((ip) => !ip.includes(".")),
    fc.ipV4().map((ip) => `::ffff:${ip}`),
    fc.constantFrom("127.0.0.1", "::1", "10.1.2.3", "2001:db8:1::5", "0:0:0:0:0:ffff:a00:1", "::1.2.3.4", "192.0.2.7"),
  );
  const hop = fc.oneof(
    { weight: 4, arbitrary: address },
    fc.tuple(address, fc.nat(70_000)).map(([ip, port]) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
    fc.constantFrom(
      "",
      " ",
      "unknown",
      "[::1",
      "1.2.3",
      "01.2.3.4",
      "10.0.0.1/8",
      "::/0",
      "fe80::1%eth0",
      "[10.0.0.1]",
    ),
  );
  const header = fc.option(fc.array(hop, { maxLength: 5 }).map((hops) => hops.join(", ")));
  const requests = fc.sample(fc.tuple(address, header), 500);
  const trusts = parseTrustProxy(TRUSTED.join());
  const expected = requests.map(([peer, sent]) => clientAddress(peer, sent ?? undefined, trusts));

  before(function () {
    this.timeout(600_000);
    installPrograms("python3", "go", "php", "php-curl", "ruby");
  });

  for (const [client, file, [program = "", ...args], text] of VISITORS) {
    const visitorsOf = (proxies: readonly string[], sent: readonly unknown[]): (string | null)[] => {
      const folder = tempFolder();
      mkdirSync(join(folder, "geolookup"));
      copyFileSync(join(CLIENTS, client), join(folder, client.endsWith(".go") ? "geolookup" : "", client));
      writeFileSync(join(folder, "go.mod"), "module example.com/shop\n\ngo 1.19\n");
      writeFileSync(join(folder, file), text);
      const options = {
        cwd: folder,
        input: JSON.stringify([proxies, sent]),
        env: goEnvironment(),
        encoding: "utf8",
      } as const;
      const visitors: (string | null)[] = JSON.parse(execFileSync(program, args, options));
      return visitors.map((visitor) => canonicalAddress(visitor ?? ""));
    };

    it(`${client} follows the rules of the service's TRUST_PROXY`, () => {
      const visitors = visitorsOf(TRUSTED, requests);
      for (const [i, visitor] of visitors.entries()) expect(visitor, JSON.stringify(requests[i])).to.equal(expected[i]);
      expect(visitors).to.have.length(expected.length);
    });

    it(`${client} reads X-Forwarded-For of a peer without an address only if it's listed`, () => {
      const sent = [["", "51.7.0.9, 44.1.2.3, 10.0.0.1"]];
      expect(visitorsOf(TRUSTED, sent)).to.deep.equal([null]);
      if (/py|go$/.test(client)) expect(visitorsOf([...TRUSTED, "unix"], sent)).to.deep.equal(["44.1.2.3"]);
    });
  }
});

/** The code of the guide's tab, by default the one that isn't a command. */
function tab(title: string, language = "(?!sh)\\w+"): string {
  const [, code] = new RegExp(`^\`\`\`${language} ${title}\n(.*?)^\`\`\``, "ms").exec(GUIDE) ?? [];
  if (code === undefined) throw new Error(`the guide has no tab ${title}`);
  return code;
}

/** The code in the guide's row for a framework. */
function call(framework: string): string {
  const [, code] = new RegExp(`^\\| ${framework}\\b.*?\\| \`(.*)\` \\|$`, "m").exec(GUIDE) ?? [];
  if (code === undefined) throw new Error(`the guide has no row for ${framework}`);
  return code;
}

/** Without cgo, which needs a C compiler. */
function goEnvironment() {
  return { ...process.env, CGO_ENABLED: "0" };
}

function buildGo(folder: string): void {
  execFileSync("go", ["build", "-o", "main", "."], { cwd: folder, env: goEnvironment(), stdio: "pipe" });
}

/** Starts a program in a folder, to whose file `output` it writes. */
async function startIn(
  folder: string,
  command: readonly [string, ...string[]],
  key: string,
  isReady: () => Promise<boolean>,
) {
  const script = 'cd "$1" && shift && PYTHONUNBUFFERED=1 exec "$@" >output 2>&1';
  const { caFile } = testAuthority();
  try {
    const args = ["-c", script, "sh", folder, ...command];
    const stop = await startDebianServer({
      program: "sh",
      args,
      environment: { ...process.env, GEO_KEY: key, SSL_CERT_FILE: caFile, NODE_EXTRA_CA_CERTS: caFile },
      isReady,
    });
    return () => stop("SIGKILL");
  } catch (error) {
    const output = readFileSync(join(folder, "output"), "utf8");
    throw new Error(`${command.join(" ")} did not start: ${output}`, { cause: error });
  }
}

/** nginx in front of an application. The header X-Visitor sets the address that its clients connect from. */
async function startNginx(appPort: number) {
  const port = await freePort();
  const folder = tempFolder();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  writeFileSync(
    join(folder, "nginx.conf"),
    `pid ${folder}/nginx.pid; error_log stderr; daemon off; master_process off;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  set_real_ip_from 127.0.0.1;
  real_ip_header X-Visitor;
  server {
    listen 127.0.0.1:${port};
    ${/^```nginx\n(.*?)^```/ms.exec(GUIDE)?.[1]?.replace("8000", `${appPort}`)}
  }
}
`,
  );
  const url = `http://127.0.0.1:${port}`;
  const stop = await startDebianServer({
    program: "nginx",
    args: ["-c", join(folder, "nginx.conf")],
    environment: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
    isReady: () => send(url, { path: "/" }).then(Boolean, () => false),
  });
  return { url, stop: () => stop("SIGKILL") };
}
