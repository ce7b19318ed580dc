import { randomBytes } from "node:crypto";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { logLines } from "../../../test/harness/child.ts";
import { startError } from "../../../test/harness/rejection.ts";
import { tempFolder } from "../../../test/harness/temp-folder.ts";
import { readConfig } from "./config.ts";
import { startAuth as startAuthHere } from "./server.ts";
import { newRingText } from "./signing/signing-ring.ts";
import { type AuthProcess, startAuth, TOKEN } from "./testing/auth-process.ts";

describe("the auth process", () => {
  let folder: string;
  let running: AuthProcess;
  const start = (environment: Record<string, string> = { ADMIN_TOKEN: TOKEN }) => {
    running = startAuth({ STORES: "embedded", DATA_DIR: folder, ...environment });
    return running;
  };
  beforeEach(() => {
    folder = tempFolder();
  });
  afterEach(() => running?.stop());

  it("serves health, readiness and metrics on its ops port, and ends on SIGTERM", async () => {
    const { opsUrl } = await start().ready();
    for (const path of ["healthz", "readyz"]) expect((await fetch(`${opsUrl}/${path}`)).status).to.equal(200);
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    expect(metrics).to.include('geolookup_auth_keys{status="active"} 0');
    expect(metrics).to.include('geolookup_auth_file_refused{file="plans"} 0');
    expect(await running.stop()).to.equal(0);
  });

  it("restricts access to the signing keys in its folder at startup, and logs that once", async () => {
    const ring = join(folder, "signing-keys.json");
    writeFileSync(ring, newRingText(randomBytes));
    chmodSync(ring, 0o644);
    const said = () => logLines(running.stderr()).filter(({ msg }) => /secret file was accessible/.test(String(msg)));
    await start().ready();
    expect(statSync(ring).mode & 0o777).to.equal(0o600);
    expect(said().map(({ path }) => path)).to.deep.equal([ring]);
    await running.stop();
    await start().ready();
    expect(said()).to.deep.equal([]);
  });

  it("keeps every key that it returned, even when killed", async () => {
    const first = start();
    const { issue } = await first.ready();
    const reported: string[] = [];
    const issueUntilKilled = async () => {
      for (;;) {
        reported.push((await issue()).secret);
        if (reported.length === 40) first.kill("SIGKILL");
      }
    };
    await Promise.allSettled(Array.from({ length: 8 }, issueUntilKilled));
    await first.exited;
    await first.stop();
    expect(reported.length).to.be.at.least(40);

    const { authorize } = await start().ready();
    const { authorizations } = await authorize(...reported.map((key) => ({ key })));
    expect(authorizations.map(({ outcome }) => outcome)).to.deep.equal(reported.map(() => "GRANTED"));
  });

  for (const [what, settings, message] of [
    [
      "with a short admin token, which it doesn't show",
      { ADMIN_TOKEN: "hunter2" },
      /ADMIN_TOKEN: must have at least 16/,
    ],
    ["without a plans file", { PLANS_FILE: "/nonexistent/plans.json", ADMIN_TOKEN: TOKEN }, /plans.*it doesn't exist/],
    [
      "in a cluster without the shared signing keys, even if NATS is down",
      {
        STORES: "cluster",
        ADMIN_TOKEN: TOKEN,
        NATS_URL: "nats://127.0.0.1:1",
        SIGNING_KEYS_FILE: "/nonexistent/keys.json",
      },
      /signing keys \/nonexistent\/keys.json are missing.*all auth nodes share one/,
    ],
  ] as const)
    it(`doesn't start ${what}`, async () => {
      const here = { PORT: "0", OPS_PORT: "0", LOG_LEVEL: "error", STORES: "embedded", DATA_DIR: folder };
      const text = await startError(async () => {
        await using auth = await startAuthHere(readConfig({ ...here, ...settings }));
        await auth.ready;
      });
      expect(text).to.match(message).and.not.include("hunter2");
    });
});
