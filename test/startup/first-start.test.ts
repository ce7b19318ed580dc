import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { logLines, startChild, stopChild, waitForOutput } from "../harness/child.ts";
import { type HttpResponse, send } from "../harness/http.ts";
import { runKeys } from "../harness/key-commands.ts";
import { baseSettings } from "../harness/settings.ts";
import { tempFolder } from "../harness/temp-folder.ts";

/** Starts standalone for the first time; resolves when it is ready and has printed that many curl commands. */
async function start(dataDir: string, curlLines: number) {
  const { PLANS_FILE: _, ...settings } = baseSettings();
  const child = startChild("services/standalone/src/main.ts", [], { ...settings, DATA_DIR: dataDir });
  await waitForOutput(
    child,
    `${curlLines} curl lines`,
    () =>
      logLines(child.stderr()).some(({ msg }) => msg === "ready") &&
      (child.stdout().match(/curl /g) ?? []).length >= curlLines &&
      child.stdout().endsWith("\n")
        ? true
        : undefined,
    15_000,
  );
  return child;
}

/** Sends the request of a printed curl command. */
function runCurl(line: string): Promise<HttpResponse> {
  const url = /https?:\/\/[^\s"']+/.exec(line)?.[0] ?? "";
  const { pathname, search } = new URL(url);
  const headers: Record<string, string> = {};
  for (const [, , header = ""] of line.matchAll(/-H\s+(["'])(.*?)\1/g)) {
    const colon = header.indexOf(":");
    headers[header.slice(0, colon)] = header.slice(colon + 1).trim();
  }
  return send(url, { path: pathname + search, headers });
}

describe("the first start", () => {
  const dataDir = tempFolder();

  it("issues two demo keys and prints three curl commands that work unchanged", async () => {
    const child = await start(dataDir, 3);
    try {
      const text = child.stdout();
      expect(text)
        .to.match(/geo_pk_\w+/)
        .and.to.match(/geo_sk_\w+/);
      const lines = text.split("\n").filter((line) => line.includes("curl "));
      expect(lines).to.have.length(3);
      const responses = await Promise.all(lines.map(runCurl));
      for (const [index, response] of responses.entries()) expect(response.status, lines[index]).to.equal(200);
      expect(responses[0]?.headers["x-ratelimit-limit"], "keyless").to.equal("60");
      expect(responses[1]?.json, "paid with a key").to.have.property("city");
      expect(lines[2]).to.include("X-Forwarded-For: 81.2.69.142");
      expect(text, "where errors are explained").to.include("docs.localhost");
      // Locks are empty, and geo data is public.
      for (const file of readdirSync(dataDir, { recursive: true, encoding: "utf8" })) {
        const stats = statSync(join(dataDir, file));
        if (!stats.isFile() || stats.size === 0 || file.startsWith("geo")) continue;
        expect(stats.mode & 0o777, file).to.equal(0o600);
      }
    } finally {
      await stopChild(child);
    }
  });

  it("the next start issues none, and the demo's key is removed from its page when it is revoked", async () => {
    const child = await start(dataDir, 2);
    try {
      // The full keys were shown once and aren't stored.
      expect(child.stdout()).to.not.match(/geo_[ps]k_/);
      const keys = (...args: string[]) => runKeys(args, { DATA_DIR: dataDir });
      const issued: { keyId: string; label: string }[] = await keys("list");
      expect(issued, "two to try, and the one of the docs site").to.have.length(3);

      const ready = logLines(child.stderr()).find(({ msg }) => msg === "ready");
      const startPage = () => send(`http://127.0.0.1:${ready?.portalPort}`, { path: "/" });
      const before = await startPage();
      expect(before.text).to.match(/ data-key="geo_pk_\w+"/);
      expect(before.headers["cache-control"], "no browser shows it longer").to.equal("no-cache");
      await keys("revoke", issued.find(({ label }) => label.startsWith("live demo"))?.keyId ?? "");
      expect((await startPage()).text).to.include(' data-key=""');
    } finally {
      await stopChild(child);
    }
  });

  it("a cut demo key is replaced by another", async () => {
    const file = join(dataDir, "demo-key.json");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 20));
    const child = await start(dataDir, 2);
    try {
      const lines = logLines(child.stderr());
      expect(lines.find(({ msg }) => msg === "live demo's key isn't readable; issuing another")).to.include({ file });
      const portalPort = lines.find(({ msg }) => msg === "ready")?.portalPort;
      expect((await send(`http://127.0.0.1:${portalPort}`, { path: "/" })).text).to.match(/ data-key="geo_pk_\w+"/);
      expect(JSON.parse(readFileSync(file, "utf8"))).to.have.all.keys("keyId", "key");
    } finally {
      await stopChild(child);
    }
  });
});
