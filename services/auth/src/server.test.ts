import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc-client.ts";
import { expect } from "chai";
import { inherited } from "../../../test/harness/child.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const TOKEN = "a-token-of-some-length";
const DEADLINE_MS = 15_000;

interface Running {
  child: ChildProcess;
  stderr: () => string;
  exit: Promise<number | null>;
}

function run(environment: Record<string, string>): Running {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...inherited(), ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (data: Buffer) => {
    text += data.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  return { child, stderr: () => text, exit };
}

async function until<Value>(look: () => Value | undefined): Promise<Value> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = look();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error("it did not come about in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The `ready` line among a process's log lines. */
function readyLine(stderr: string): { port: number; opsPort: number } | undefined {
  const line = stderr.split("\n").find((text) => text.includes('"msg":"ready"'));
  return line === undefined ? undefined : JSON.parse(line);
}

describe("the auth process", () => {
  let folder: string;
  let running: Running | undefined;
  const start = async () => {
    const started = run({ STORES: "embedded", DATA_DIR: folder, PORT: "0", OPS_PORT: "0", ADMIN_TOKEN: TOKEN });
    running = started;
    return until(() => readyLine(started.stderr()));
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "auth-process-"));
  });
  afterEach(async () => {
    running?.child.kill("SIGKILL");
    await running?.exit;
    rmSync(folder, { recursive: true });
  });

  it("administers and judges keys over gRPC", async () => {
    const { port } = await start();
    const admin = openClient(loadService("auth/v1/auth.proto", "geolookup.auth.v1.KeyAdmin"), `127.0.0.1:${port}`);
    const auth = openClient(loadService("auth/v1/auth.proto", "geolookup.auth.v1.Auth"), `127.0.0.1:${port}`);
    const ask = <Response>(method: string, request: object, token = TOKEN) =>
      callUnary<Response>(admin, method, request, { deadlineMs: DEADLINE_MS, token });
    type Key = Record<string, unknown> & { keyId: string };
    try {
      const { secret, key } = await ask<{ secret: string; key: Key }>("issueKey", {
        kind: "PUBLISHABLE",
        plan: "paid",
        label: "Shop",
        origins: ["https://example.com"],
      });
      const { keyId } = key;
      const wire = {
        keyId,
        kind: "PUBLISHABLE",
        plan: "paid",
        label: "Shop",
        origins: ["https://example.com"],
        display: `geo_pk_…${secret.slice(-4)}`,
        status: "active",
        createdAt: key.createdAt,
        version: 1,
      };
      expect(key).to.deep.equal(wire);

      const grant = {
        keyId,
        kind: "PUBLISHABLE",
        plan: "paid",
        fields: "PAID",
        monthlyRequests: 1_000_000,
        origins: ["https://example.com"],
        display: wire.display,
      };
      const { verdicts } = await callUnary<{ verdicts: unknown[] }>(
        auth,
        "authorize",
        {
          checks: [
            { key: secret, origin: "https://example.com" },
            { key: "nonsense" },
            { key: secret, origin: "https://evil.example" },
            { key: secret },
            { key: secret, referer: "https://example.com/page" },
            { key: `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}` },
            {},
          ],
        },
        { deadlineMs: DEADLINE_MS },
      );
      expect(verdicts).to.deep.equal([
        { outcome: "GRANTED", grant },
        { outcome: "MALFORMED_KEY" },
        { outcome: "ORIGIN_NOT_ALLOWED", grant, refusedOrigin: "https://evil.example" },
        { outcome: "ORIGIN_NOT_ALLOWED", grant },
        { outcome: "GRANTED", grant },
        { outcome: "BAD_SIGNATURE" },
        { outcome: "MALFORMED_KEY" },
      ]);

      expect(await ask("setPlan", { keyId, plan: "free" })).to.deep.equal({ ...wire, plan: "free", version: 2 });
      expect(await ask("setLabel", { keyId, label: "" })).to.include({ version: 3 });
      expect(await ask("setOrigins", { keyId, origins: [] })).to.deep.include({ origins: [], version: 4 });
      expect(await ask("getKey", { keyId })).to.include({ version: 4, status: "active" });
      const revoked = await ask<Key>("revokeKey", { keyId, reason: "test" });
      expect(revoked).to.include({ status: "revoked", revokedReason: "test", version: 5 });
      expect(await ask("listKeys", {})).to.deep.equal({ keys: [revoked], nextPageToken: "" });
      const { events } = await ask<{ events: { type: string; dataJson: string; by: string }[] }>("getHistory", {
        keyId,
      });
      expect(events.map(({ type }) => type)).to.deep.equal([
        "KeyIssued",
        "KeyPlanChanged",
        "KeyLabelChanged",
        "KeyOriginsChanged",
        "KeyRevoked",
      ]);
      expect(events[1]).to.include({ keyId, version: 2, by: "admin", dataJson: '{"plan":"free"}' });

      const refused: [method: string, request: object, code: string][] = [
        ["issueKey", { kind: "SECRET" }, "invalid"],
        ["issueKey", { plan: "free" }, "invalid"],
        ["getKey", {}, "not_found"],
        ["getKey", { keyId: "key_nobody" }, "not_found"],
        ["setPlan", { keyId, plan: "paid" }, "precondition"],
        ["listKeys", { status: "gone" }, "invalid"],
        ["listKeys", { pageToken: "key_nobody" }, "invalid"],
      ];
      for (const [method, request, code] of refused) {
        const error = await ask(method, request).catch((reason: unknown) => reason);
        expect(error, method).to.include({ code });
      }
      const methods = [
        "issueKey",
        "listKeys",
        "getKey",
        "revokeKey",
        "setPlan",
        "setOrigins",
        "setLabel",
        "getHistory",
      ];
      for (const method of methods) {
        const request = { keyId, kind: "SECRET", plan: "free" };
        const error = await ask(method, request, `${TOKEN}x`).catch((reason: unknown) => reason);
        expect(error, method).to.include({ code: "unauthenticated" });
      }
      expect(running?.stderr()).not.to.include(secret);
    } finally {
      admin.close();
      auth.close();
    }
  });

  it("says on its ops port that it lives and is ready, and what it counted; ends on SIGTERM", async () => {
    const { opsPort } = await start();
    for (const path of ["healthz", "readyz"])
      expect((await fetch(`http://127.0.0.1:${opsPort}/${path}`)).status).to.equal(200);
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    expect(metrics).to.include('geolookup_auth_keys{status="active"} 0');
    expect(metrics).to.include('geolookup_auth_file_refused{file="plans"} 0');
    running?.child.kill("SIGTERM");
    expect(await running?.exit).to.equal(0);
  });

  it("loses no key that it reported, whenever it is killed", async () => {
    const { port } = await start();
    const first = running;
    const target = `127.0.0.1:${port}`;
    const client = openClient(loadService("auth/v1/auth.proto", "geolookup.auth.v1.KeyAdmin"), target);
    const reported: string[] = [];
    const issueUntilKilled = async () => {
      for (;;) {
        const request = { kind: "SECRET", plan: "free" };
        const options = { deadlineMs: DEADLINE_MS, token: TOKEN };
        const { secret } = await callUnary<{ secret: string }>(client, "issueKey", request, options);
        reported.push(secret);
        if (reported.length === 40) first?.child.kill("SIGKILL");
      }
    };
    await Promise.allSettled(Array.from({ length: 8 }, issueUntilKilled));
    client.close();
    await first?.exit;
    expect(reported.length).to.be.at.least(40);

    const again = await start();
    const auth = openClient(loadService("auth/v1/auth.proto", "geolookup.auth.v1.Auth"), `127.0.0.1:${again.port}`);
    const checks = reported.map((key) => ({ key }));
    const { verdicts } = await callUnary<{ verdicts: { outcome: string }[] }>(
      auth,
      "authorize",
      { checks },
      { deadlineMs: DEADLINE_MS },
    );
    auth.close();
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(reported.map(() => "GRANTED"));
  });

  const badStarts: [what: string, environment: Record<string, string>, message: RegExp][] = [
    ["without an admin token", {}, /ADMIN_TOKEN: is required/],
    ["with a short one, not shown", { ADMIN_TOKEN: "hunter2" }, /ADMIN_TOKEN: must have at least 16 characters\n/],
    ["with bad ports, both named", { PORT: "x", OPS_PORT: "70000", ADMIN_TOKEN: TOKEN }, /PORT: .*\n.*OPS_PORT: /],
    [
      "without a plans file",
      { PLANS_FILE: "/nonexistent/plans.json", ADMIN_TOKEN: TOKEN },
      /plans.*there is no such file/,
    ],
    [
      "in a cluster without its address and shared keys, both named",
      { STORES: "cluster", ADMIN_TOKEN: TOKEN },
      /NATS_URL: is required with STORES=cluster\n.*SIGNING_KEYS_FILE: is required with STORES=cluster/,
    ],
    [
      "in a cluster without the shared signing keys, NATS or not",
      {
        STORES: "cluster",
        ADMIN_TOKEN: TOKEN,
        NATS_URL: "nats://127.0.0.1:1",
        SIGNING_KEYS_FILE: "/nonexistent/keys.json",
      },
      /signing keys \/nonexistent\/keys.json are missing.*all auth nodes share one/,
    ],
    ["without a token file", { ADMIN_TOKEN_FILE: "/nonexistent/token" }, /ADMIN_TOKEN_FILE: cannot read/],
  ];
  for (const [what, environment, message] of badStarts)
    it(`does not start ${what}`, async () => {
      running = run({ STORES: "embedded", DATA_DIR: folder, PORT: "0", OPS_PORT: "0", ...environment });
      expect(await running.exit).to.equal(1);
      expect(running.stderr()).to.match(message).and.not.include("hunter2").and.not.include("    at ");
    });
});
