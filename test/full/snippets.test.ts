import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { startProgram } from "../back-ends/started-program.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";
import { startDebianServer } from "../harness/debian-server.ts";
import type { Deployment } from "../harness/deployment.ts";
import { installPrograms } from "../harness/install-programs.ts";
import { installFrameworks } from "../harness/packed-server-package.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const DEADLINE_MS = 20_000;
/** The visitor's address on this machine, and the one it is translated to: loopback addresses have no location. */
const PEER = "127.5.1.2";
const VISITOR = "44.1.2.3";
/** What the visitor claims. */
const CLAIMED = "51.7.0.9";
const run = promisify(execFile);

/** Runs the code of a tab in a folder, on a port. Node.js programs choose their port. */
interface Program {
  tab: string;
  file: string;
  command: (port: number, folder: string) => readonly [string, ...string[]];
}

const WSGI =
  "import sys; from wsgiref.simple_server import make_server; from wsgi import app; make_server('127.0.0.1', int(sys.argv[1]), app).serve_forever()";

/** Debian's own Python has Debian's modules. */
const PYTHON = "/usr/bin/python3";

/** What the programs need besides Node.js. */
const NEEDED: readonly string[] = [
  ...["python3", "python3-requests", "python3-fastapi", "python3-httpx", "python3-uvicorn", "go", "rackup"],
  ...["php", "php-curl", "php-guzzlehttp-guzzle", "php-laravel-framework"],
];

const PROGRAMS: readonly Program[] = [
  { tab: "Python", file: "wsgi.py", command: (port) => [PYTHON, "-c", WSGI, `${port}`] },
  { tab: "FastAPI", file: "main.py", command: (port) => [PYTHON, "-m", "uvicorn", "main:app", "--port", `${port}`] },
  { tab: "Go", file: "main.go", command: (_, folder) => [join(folder, "main")] },
  { tab: "Laravel", file: "web.php", command: (port) => ["php", "-S", `127.0.0.1:${port}`, "laravel.php"] },
  { tab: "PHP", file: "index.php", command: (port) => ["php", "-S", `127.0.0.1:${port}`, "index.php"] },
  { tab: "Ruby", file: "config.ru", command: (port) => ["rackup", "--host", "127.0.0.1", "--port", `${port}`] },
];

inBrowser("code copied from the docs site, with the reader's own key", (site) => {
  /** Fills in the key, copies the code of a tab, and returns the content of the clipboard. */
  const copied = (key: string, tab: string) =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto(`${site().docsUrl}/quick-start`);
      await page.getByLabel("Your key").fill(key);
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.getByRole("tabpanel", { name: tab, exact: true }).getByRole("button", { name: "Copy" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      return page.evaluate<string>("navigator.clipboard.readText()");
    });

  it("runs unchanged: curl", async () => {
    const { key } = await site().issueKey({ kind: "secret" });
    const { stdout } = await run("sh", ["-c", await copied(key, "curl")], { timeout: DEADLINE_MS });
    expect(stdout).to.include('"city":"Rainhaven"');
  });

  it("runs unchanged in a page", async () => {
    const { key } = await site().issueKey();
    const code = await copied(key, "Browser");
    await visit({ origins: [site().docsUrl, site().apiUrl] }, async (page) => {
      const said = page.waitForEvent("console");
      await page.goto(`${site().docsUrl}/privacy`);
      await page.evaluate(`(async () => { ${code} })()`);
      expect((await said).text()).to.equal("Rainhaven");
    });
  });

  describe("in back ends, which forward their visitors", function () {
    this.timeout(180_000);
    let service: Deployment;
    let translator: Server;
    /** The translator never finishes a response, although it keeps sending. */
    let isStalling = false;
    /** The translator sends this key in place of the back end's own. */
    let replacedKey: string | undefined;
    let key: string;
    const stops: (() => unknown)[] = [];

    before(async function () {
      // Downloads from Debian's mirrors.
      this.timeout(600_000);
      installPrograms(...NEEDED);
      // These back ends may forward only because of their key.
      service = await startStandalone({ TRUST_PROXY: "none", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
      ({ key } = await service.issueKey({ kind: "secret", forward: true }));
      translator = createServer((req, res) => {
        if (isStalling) {
          res.writeHead(200, { Vary: "X-Forwarded-For" });
          const sending = setInterval(() => res.write(" "), 50);
          res.once("close", () => clearInterval(sending));
          return;
        }
        const headers = { ...req.headers };
        if (replacedKey !== undefined) headers.authorization = `Bearer ${replacedKey}`;
        if (headers["x-forwarded-for"] === PEER) headers["x-forwarded-for"] = VISITOR;
        const sent = request(`${service.url}${req.url}`, { headers }, (response) => {
          res.writeHead(response.statusCode ?? 500, response.headers);
          response.pipe(res);
        });
        sent.on("error", () => res.destroy());
        sent.end();
      }).listen(0, "127.0.0.1");
      await once(translator, "listening");
    });
    beforeEach(() => {
      isStalling = false;
      replacedKey = undefined;
    });
    after(async () => {
      for (const stop of stops) await stop();
      translator?.closeAllConnections();
      translator?.close();
      await service?.[Symbol.asyncDispose]();
    });

    const code = async (tab: string) =>
      (await copied(key, tab)).replaceAll(
        site().apiUrl,
        `http://127.0.0.1:${(translator.address() as AddressInfo).port}`,
      );
    const expectLocated = async (url: string, forwardedFor: string) => {
      const city = () => get(url, forwardedFor);
      // A busy machine may miss the back end's deadline.
      await waitFor("a location", async () => !(await city()).includes("visitor"), DEADLINE_MS);
      expect(await city()).to.match(/Rainhaven/);
    };

    for (const { tab, file, command } of PROGRAMS)
      it(`locates visitors, no matter what they send, warns if its key can't, and waits no longer than its deadline: ${tab}`, async () => {
        const folder = tempFolder();
        const port = await freePort();
        writeFileSync(join(folder, file), (await code(tab)).replace("127.0.0.1:8000", `127.0.0.1:${port}`));
        copyFileSync("test/full/snippets/laravel.php", join(folder, "laravel.php"));
        if (file.endsWith(".go")) buildGo(folder, file);
        const [program, ...args] = command(port, folder);
        const url = `http://127.0.0.1:${port}`;
        const isReady = () => get(url, CLAIMED).then(Boolean, () => false);
        stops.push(await startIn(folder, program, args, isReady));
        await expectLocated(url, CLAIMED);
        replacedKey = (await service.issueKey({ kind: "secret" })).key;
        const warns = async () => {
          expect(await get(url, CLAIMED)).to.match(/visitor/);
          return readFileSync(join(folder, "output"), "utf8").includes("--forward");
        };
        await waitFor("a warning", warns, DEADLINE_MS);
        isStalling = true;
        expect(await get(url, CLAIMED)).to.match(/visitor/);
      });

    for (const tab of ["Express", "Fastify", "Hono", "Next.js"])
      it(`locates visitors behind a proxy, and waits no longer than its deadline: ${tab}`, async () => {
        const folder = installFrameworks();
        const next = resolve(folder, "node_modules/next/dist/bin/next");
        const env = { PORT: "0", NEXT_TELEMETRY_DISABLED: "1" };
        const text = await code(tab);
        let args = ["copied.js"];
        let cwd = folder;
        if (tab === "Next.js") {
          cwd = join(folder, "next");
          const parts = text.split(/^\/\/ (\S+\.js)\n/m).slice(1);
          for (let i = 0; i < parts.length; i += 2) {
            const path = join(cwd, parts[i] ?? "");
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, parts[i + 1] ?? "");
          }
          execFileSync(process.execPath, [next, "build"], { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
          args = [next, "start", "--port", "0", "--hostname", "127.0.0.1"];
        } else writeFileSync(join(folder, "copied.js"), text);
        const { url, kill } = await startProgram(process.execPath, args, { cwd, env });
        stops.push(kill);
        await expectLocated(url, `${CLAIMED}, ${VISITOR}`);
        isStalling = true;
        expect(await get(url, "44.1.9.9")).to.match(/visitor/);
      });
  });
});

/** Without cgo, which needs a C compiler. */
function buildGo(folder: string, file: string): void {
  const env = { ...process.env, CGO_ENABLED: "0" };
  execFileSync("go", ["build", "-o", "main", file], { cwd: folder, env, stdio: "pipe" });
}

/** Starts a program in a folder, to whose file `output` it writes. */
async function startIn(folder: string, program: string, args: readonly string[], isReady: () => Promise<boolean>) {
  const inFolder = [
    "-c",
    'cd "$1" && shift && PYTHONUNBUFFERED=1 exec "$@" >output 2>&1',
    "sh",
    folder,
    program,
    ...args,
  ];
  try {
    const stop = await startDebianServer({ program: "sh", args: inFolder, isReady });
    return () => stop("SIGKILL");
  } catch (error) {
    const output = readFileSync(join(folder, "output"), "utf8");
    throw new Error(`${program} ${args.join(" ")} did not start: ${output}`, { cause: error });
  }
}

/** The body of a page, as a visitor at PEER gets it. @throws Error if there is no response in time. */
function get(url: string, forwardedFor: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      localAddress: PEER,
      agent: false,
      timeout: DEADLINE_MS,
      headers: { "X-Forwarded-For": forwardedFor },
    };
    const sent = request(url, options, async (response) => {
      const chunks = await Array.fromAsync(response);
      resolve(
        Buffer.concat(chunks)
          .toString()
          .replaceAll(/<!--.*?-->|<script.*?<\/script>/g, ""),
      );
    });
    sent.on("timeout", () => sent.destroy(new Error("no response in time")));
    sent.on("error", reject);
    sent.end();
  });
}
