import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openAuth } from "@geolookup/auth/auth.ts";
import { keyAdminService } from "@geolookup/auth/key-admin-rpc.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { requireAdminToken } from "@geolookup/shared/runtime/admin-token.ts";
import { loadService } from "@geolookup/shared/runtime/grpc-client.ts";
import { type ServedService, startGrpcServer } from "@geolookup/shared/runtime/grpc-server.ts";
import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { runKeys } from "./run.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const TOKEN = "a-token-of-some-length";
const NOW = Date.UTC(2026, 0, 31, 23, 59, 59);

/** A stand-in for the usage service: invented counts that repeat what was asked. */
const usageService: ServedService = {
  definition: loadService("usage/v1/usage.proto", "geolookup.usage.v1.Usage").service,
  handlers: {
    getMonth: ({ keyId, month }: { keyId: string; month: string }, metadata) => {
      requireAdminToken(metadata, TOKEN);
      if (month !== "2026-01") return { keyId, month };
      return {
        keyId,
        month,
        total: 12,
        days: [
          { day: "2026-01-03", requests: 5 },
          { day: "2026-01-31", requests: 7 },
        ],
      };
    },
  },
};

describe("npm run keys", () => {
  let dataDir: string;
  let address: string;
  let stop: () => Promise<void>;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "keys-"));
    const log = pino({ level: "silent" });
    const auth = await openAuth({ dataDir, log, registry: new Registry(), clock: () => NOW });
    const services = [keyAdminService(auth.admin, TOKEN), usageService];
    const server = await startGrpcServer({ host: "127.0.0.1", port: 0, services, log });
    address = `127.0.0.1:${server.port}`;
    writeFileSync(join(dataDir, "admin.json"), JSON.stringify({ address, token: TOKEN }));
    stop = async () => {
      await server.close();
      await auth.close();
      rmSync(dataDir, { recursive: true });
    };
  });
  after(() => stop());

  const run = async (args: string[], environment: Record<string, string> = { DATA_DIR: dataDir }) => {
    let out = "";
    let err = "";
    const status = await runKeys({
      args,
      environment,
      clock: () => NOW,
      print: (text) => {
        out += text;
      },
      printError: (text) => {
        err += text;
      },
    });
    return { status, out, err };
  };
  const json = async (...args: string[]) => {
    const { status, out, err } = await run([...args, "--json"]);
    expect({ status, err }).to.deep.equal({ status: 0, err: "" });
    return JSON.parse(out);
  };

  it("issues a key and shows it this once", async () => {
    const issued = await json("issue", "--kind", "publishable", "--plan", "free", "--origins", "https://A.example:443");
    const { key, ...shown } = issued;
    expect(key).to.match(/^geo_pk_[0-9A-Za-z]{26,}_[0-9A-Za-z]{22}$/);
    expect(shown).to.deep.equal({
      keyId: issued.keyId,
      kind: "publishable",
      plan: "free",
      label: "",
      origins: ["https://a.example"],
      display: `geo_pk_…${key.slice(-4)}`,
      status: "active",
      createdAt: "2026-01-31T23:59:59.000Z",
      version: 1,
    });
    expect(await json("show", issued.keyId)).to.deep.equal(shown);
    expect(await json("list")).to.deep.include(shown);
  });

  it("changes a key, revokes it and tells its history", async () => {
    const { keyId } = await json("issue", "--kind", "secret", "--plan", "free", "--label", "Shop");
    expect(await json("set-plan", keyId, "paid")).to.include({ plan: "paid", version: 2 });
    expect(await json("set-origins", keyId, "https://*.a.example,http://localhost:3000")).to.deep.include({
      origins: ["https://*.a.example", "http://localhost:3000"],
    });
    expect(await json("set-origins", keyId, "")).to.deep.include({ origins: [], version: 4 });
    expect(await json("set-label", keyId, "Läden")).to.include({ label: "Läden" });
    expect(await json("revoke", keyId, "--reason", "leaked")).to.include({
      status: "revoked",
      revokedAt: "2026-01-31T23:59:59.000Z",
      revokedReason: "leaked",
      version: 6,
    });
    const history = await json("history", keyId);
    expect(history.map((event: { type: string; data: object }) => [event.type, event.data]).slice(1)).to.deep.equal([
      ["KeyPlanChanged", { plan: "paid" }],
      ["KeyOriginsChanged", { origins: ["https://*.a.example", "http://localhost:3000"] }],
      ["KeyOriginsChanged", { origins: [] }],
      ["KeyLabelChanged", { label: "Läden" }],
      ["KeyRevoked", { reason: "leaked" }],
    ]);
    expect(history[0]).to.include({ type: "KeyIssued", keyId, version: 1, by: "admin" });
  });

  it("tells a month's usage, this month's by default", async () => {
    const { keyId } = await json("issue", "--kind", "secret", "--plan", "free");
    const january = {
      keyId,
      month: "2026-01",
      total: 12,
      days: [
        { day: "2026-01-03", requests: 5 },
        { day: "2026-01-31", requests: 7 },
      ],
    };
    expect(await json("usage", keyId)).to.deep.equal(january);
    expect(await json("usage", keyId, "--month", "2026-01")).to.deep.equal(january);
    expect(await json("usage", keyId, "--month", "2025-12")).to.deep.equal({
      keyId,
      month: "2025-12",
      total: 0,
      days: [],
    });
  });

  it("prints for people too", async () => {
    const issued = await run(["issue", "--kind", "secret", "--plan", "paid", "--label", "For people"]);
    const [key = ""] = issued.out.split("\n");
    expect(key).to.match(/^geo_sk_\w+$/);
    const keyId = /key id +(key_\w+)/.exec(issued.out)?.[1] ?? "";
    await run(["revoke", keyId, "--reason", "a reason"]);
    const shown = (await run(["show", keyId])).out;
    expect(shown).to.match(/^label +For people$/m);
    expect(shown).to.match(/^origins +any$/m);
    expect(shown).to.match(/^status +revoked since 2026-01-31T23:59:59.000Z$/m);
    expect(shown).to.match(/^reason +a reason$/m);
    const listed = (await run(["list"])).out.trimEnd().split("\n");
    const column = listed[0]?.indexOf("LABEL");
    expect(listed.find((line) => line.startsWith(keyId))?.slice(column)).to.equal("For people");
    expect((await run(["history", keyId])).out).to.match(/^2 +2026-.* +admin +KeyRevoked +\{"reason":"a reason"\}$/m);
    expect((await run(["usage", keyId])).out).to.match(/^2026-01-03 +5\n2026-01-31 +7\n2026-01 +12$/m);
    expect(await run(["help"])).to.deep.include({ status: 0, err: "" });
  });

  it("says what failed and exits 1", async () => {
    const { keyId } = await json("issue", "--kind", "secret", "--plan", "free");
    await json("revoke", keyId);
    const cases: [args: string[], message: RegExp][] = [
      [["issue", "--kind", "secret", "--plan", "gold"], /no plan "gold"; the plans are free, paid/],
      [["issue", "--kind", "secret", "--plan", "free", "--origins", "a.example,null"], /"a.example".*; "null"/],
      [["show", "key_nobody"], /no key "key_nobody"/],
      [["usage", "key_nobody"], /no key "key_nobody"/],
      [["set-plan", keyId, "paid"], /is revoked and cannot be changed/],
      [["set-label", keyId, "a\nb"], /revoked/],
    ];
    for (const [args, message] of cases) {
      const { status, out, err } = await run([...args, "--json"]);
      expect({ status, out }, args.join(" ")).to.deep.equal({ status: 1, out: "" });
      expect(err)
        .to.match(message)
        .and.match(/^keys: [^\n]*\n$/);
    }
  });

  it("finds the service by AUTH_URL, USAGE_URL and ADMIN_TOKEN, and says what is missing", async () => {
    const nowhere = join(dataDir, "nowhere");
    const there = { DATA_DIR: nowhere, AUTH_URL: address, ADMIN_TOKEN: TOKEN };
    expect((await run(["list"], there)).status).to.equal(0);
    const { keyId } = await json("issue", "--kind", "secret", "--plan", "free");
    expect((await run(["usage", keyId], { ...there, USAGE_URL: address })).status).to.equal(0);
    const failures: [args: string[], environment: Record<string, string>, message: RegExp][] = [
      [["list"], { DATA_DIR: nowhere }, /not running: there is no .*admin.json.*make start/],
      [["list"], { AUTH_URL: address }, /set ADMIN_TOKEN/],
      [["list"], { USAGE_URL: address, ADMIN_TOKEN: TOKEN }, /set AUTH_URL/],
      [["usage", "key_1"], there, /set USAGE_URL/],
      [["list"], { ...there, ADMIN_TOKEN: "wrong" }, /not the service's ADMIN_TOKEN/],
      [["list"], { AUTH_URL: address, ADMIN_TOKEN_FILE: nowhere }, /ADMIN_TOKEN_FILE: cannot read/],
    ];
    for (const [args, environment, message] of failures) {
      const { status, out, err } = await run(args, environment);
      expect({ status, out }, err).to.deep.equal({ status: 1, out: "" });
      expect(err).to.match(message).and.not.include(TOKEN);
    }
  });

  it("says how to start the service when its admin.json is stale or garbage", async () => {
    const folder = mkdtempSync(join(tmpdir(), "keys-"));
    try {
      const server = await startGrpcServer({
        host: "127.0.0.1",
        port: 0,
        services: [],
        log: pino({ level: "silent" }),
      });
      await server.close();
      const stale = JSON.stringify({ address: `127.0.0.1:${server.port}`, token: TOKEN });
      for (const [content, message] of [
        [stale, /^keys: geolookup is not running at 127\.0\.0\.1:\d+; start it with `make start`\n$/],
        ["garbage", /restart geolookup/],
        ["{}", /restart geolookup/],
      ] as const) {
        writeFileSync(join(folder, "admin.json"), content);
        const { status, err } = await run(["list"], { DATA_DIR: folder });
        expect(status).to.equal(1);
        expect(err).to.match(message);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("hands on what a service says that is unavailable", async () => {
    const busy: ServedService = {
      definition: loadService("auth/v1/auth.proto", "geolookup.auth.v1.KeyAdmin").service,
      handlers: {
        listKeys: () => {
          throw new ServiceError("unavailable", "the key log cannot be read now");
        },
      },
    };
    const log = pino({ level: "silent" });
    const server = await startGrpcServer({ host: "127.0.0.1", port: 0, services: [busy], log });
    try {
      const { status, err } = await run(["list"], { AUTH_URL: `127.0.0.1:${server.port}`, ADMIN_TOKEN: TOKEN });
      expect({ status, err }).to.deep.equal({ status: 1, err: "keys: the key log cannot be read now\n" });
    } finally {
      await server.close();
    }
  });

  it("explains itself on standard error and exits 2 when not understood", async () => {
    const { status, out, err } = await run(["issue"]);
    expect({ status, out }).to.deep.equal({ status: 2, out: "" });
    expect(err).to.match(/^keys: issue needs --kind.*\nThe commands: .* help\n$/);
  });

  it("is a program", () => {
    const spawned = (...args: string[]) =>
      spawnSync(process.execPath, [MAIN, ...args], { env: { DATA_DIR: join(dataDir, "nowhere") }, encoding: "utf8" });
    expect(spawned("help"))
      .to.include({ status: 0, stderr: "" })
      .and.property("stdout")
      .match(/^Usage: /);
    expect(spawned("lst")).to.include({ status: 2, stdout: "" });
    expect(spawned("list"))
      .to.include({ status: 1, stdout: "" })
      .and.property("stderr")
      .match(/make start/);
  });
});
