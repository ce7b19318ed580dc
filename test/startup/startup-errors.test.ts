import { readdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { readConfig } from "@geolookup/standalone/config.ts";
import { startStandalone } from "@geolookup/standalone/server.ts";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { startProgram } from "../harness/child.ts";
import type { Settings } from "../harness/deployment.ts";
import { startError } from "../harness/rejection.ts";
import { startService } from "../harness/service.ts";
import { baseSettings } from "../harness/settings.ts";
import { startStandalone as startStandaloneProcess } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const DEADLINE_MS = 30_000;

/** Starts standalone in this process, which must fail. @returns its message. @throws Error if it starts. */
async function failToStart(settings: Settings): Promise<string> {
  const environment = { DATA_DIR: tempFolder(), ...baseSettings(), LOG_LEVEL: "error", ...settings };
  return startError(async () => {
    await using _running = await startStandalone(readConfig(environment));
  });
}

/** The same in a new process. @returns its standard error. */
async function failProcess(settings: Settings): Promise<string> {
  const standalone = startService("standalone", { DATA_DIR: tempFolder(), ...baseSettings(), ...settings });
  const timer = setTimeout(() => standalone.kill("SIGKILL"), DEADLINE_MS);
  const code = await standalone.exited;
  clearTimeout(timer);
  expect(code, `exit status; it said: ${standalone.stderr()}`).to.equal(1);
  return standalone.stderr();
}

/** Lines that aren't JSON log lines, for the operator. */
const plainLines = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("{"));

describe("a failed start: one clear message, within seconds", () => {
  let port = "";
  before(async () => {
    port = `${await freePort()}`;
  });

  /** The problem, the settings, and what the line must name. */
  const cases: readonly (readonly [what: string, settings: () => Settings, named: readonly string[]])[] = [
    [
      "a DATA_DIR that cannot be written",
      () => {
        const file = join(tempFolder(), "a-file");
        writeFileSync(file, "");
        return { DATA_DIR: join(file, "data") };
      },
      ["a-file"],
    ],
    ["a missing database", () => ({ GEO_DATABASES: join(tempFolder(), "nowhere.mmdb") }), ["nowhere.mmdb"]],
    ["no database at all", () => ({ GEO_DATABASES: "" }), ["./geolookup data fetch", "GEO_DATABASES"]],
    [
      "a DOCS_URL on the API's own host, which would leave no API",
      () => ({ PORT: port, DOCS_URL: `http://localhost:${port}` }),
      ["DOCS_URL", "localhost:"],
    ],
    [
      "a DOCS_URL on the host of API_URL",
      () => ({ PORT: port, DOCS_URL: "https://geo.example.com", API_URL: "https://geo.example.com" }),
      ["DOCS_URL", "API_URL"],
    ],
    ["the same PORT and OPS_PORT", () => ({ PORT: port, OPS_PORT: port }), ["PORT", "OPS_PORT"]],
    ["a plans file that is missing", () => ({ PLANS_FILE: join(tempFolder(), "no-plans.json") }), ["no-plans.json"]],
    [
      "a plans file with an invalid plan",
      () => ({ PLANS_FILE: written("plans.json", '{"gold": {"fields": "all", "monthlyRequests": -1}}') }),
      ["plans.json", "gold", "fields", "monthlyRequests"],
    ],
    ["a HOST that is not this machine's", () => ({ HOST: "192.0.2.1" }), ["HOST", "192.0.2.1"]],
  ];

  for (const [what, settings, named] of cases)
    it(what, async () => {
      const lines = plainLines(await failToStart(settings()));
      const text = lines.join("\n");
      for (const name of named) expect(text).to.include(name);
      expect(lines, text).to.have.length.within(1, 4);
    });

  it("a file that a setting names: prints the problem without a stack trace, and exits with status 1", async () => {
    const text = await failProcess({ GEO_DATABASES: join(tempFolder(), "nowhere.mmdb") });
    expect(text)
      .to.include("nowhere.mmdb")
      .and.to.not.match(/^\s+at /m);
  });

  for (const setting of ["PORT", "OPS_PORT"])
    it(`a port in use: ${setting}`, async () => {
      const holder = createServer();
      await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
      try {
        const taken = String((holder.address() as AddressInfo).port);
        const dataDir = tempFolder();
        const lines = plainLines(await failToStart({ [setting]: taken, DATA_DIR: dataDir }));
        expect(lines).to.have.length(1);
        expect(lines[0]).to.include(taken).and.to.include(setting);
        expect(readdirSync(dataDir), "what it created").to.deep.equal(["lock"]);
      } finally {
        holder.close();
      }
    });

  for (const program of ["services/standalone/src/main.ts", "scripts/cluster/main.ts"])
    it(`a port in use: downloads nothing first (${program})`, async () => {
      const holder = createServer();
      await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
      try {
        const { port } = holder.address() as AddressInfo;
        const dataDir = tempFolder();
        // A download would fail.
        const settings = { DATA_DIR: dataDir, GEO_DATA_SOURCE: "npm", npm_config_registry: "nowhere" };
        const child = startProgram("scripts/start.sh", [program], { ...settings, PORT: `${port}` });
        expect(await child.exited).to.equal(1);
        expect(child.stderr()).to.match(
          new RegExp(`^geolookup: port ${port} on 127\\.0\\.0\\.1 is in use .*PORT.*\n$`),
        );
        expect(readdirSync(dataDir)).to.deep.equal([]);
      } finally {
        holder.close();
      }
    });

  for (const bad of [
    {
      TRUST_PROXY: "loopback,10.0.0.0/33",
      PORT: "eighty",
      OPS_PORT: "-1",
      KEYLESS: "maybe",
      KEYLESS_LIMIT: "1e3",
      IPV6_LIMIT_PREFIX: "129",
      DOCS_URL: "docs",
      LOG_LEVEL: "loud",
      ACCESS_LOG: "some",
    },
  ])
    it(`names every invalid variable at once, with its value: ${Object.keys(bad).join(", ")}`, async () => {
      const lines = (await failToStart(bad)).split("\n");
      for (const [name, value] of Object.entries(bad)) {
        const said = lines.find((line) => line.trimStart().startsWith(`${name}:`)) ?? "";
        expect(said, `the message about ${name}`).to.include(value.split(",").at(-1));
      }
    });

  it("a DATA_DIR that another process uses", async function () {
    this.timeout(DEADLINE_MS * 2);
    const first = await startStandaloneProcess();
    try {
      const lines = plainLines(await failToStart({ DATA_DIR: first.dataDir }));
      expect(lines).to.have.length(1);
      expect(lines[0]).to.match(/in use/);
      expect((await first.send()).status, "the first keeps running").to.equal(200);
    } finally {
      await first.stop();
    }
  });
});

function written(name: string, text: string): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
