import { randomBytes } from "node:crypto";
import { copyFileSync, cpSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRingText } from "@geolookup/auth/signing/signing-ring.ts";
import { startAuth, TOKEN } from "@geolookup/auth/testing/auth-process.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { runHere } from "../../test/harness/command.ts";
import { startNatsServer } from "../../test/harness/nats-server.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";

describe("restoring on a bare machine", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  /** A machine with its own NATS and an empty folder. */
  const machine = async () => {
    const server = opened.use(await startNatsServer());
    const folder = tempFolder();
    const environment = {
      NATS_URL: server.url,
      DATA_DIR: folder,
      SIGNING_KEYS_FILE: join(folder, "signing-keys.json"),
      ADMIN_TOKEN: TOKEN,
    };
    return {
      folder,
      environment,
      auth: async () => {
        return opened.use(startAuth(environment)).ready();
      },
      run: (name: string, ...args: string[]) => runHere([name, ...args], environment),
    };
  };

  it("needs only the archive and the backup key", async () => {
    const lost = await machine();
    writeFileSync(lost.environment.SIGNING_KEYS_FILE, newRingText(randomBytes), { mode: 0o600 });
    const before = await lost.auth();
    const issue = () => before.issue({ label: "Shop" });
    const [kept, revoked] = [await issue(), await issue()];
    await before.admin(KEY_ADMIN.RevokeKey, { keyId: revoked.keyId, reason: "test" });
    const saved = await lost.run("backup", join(lost.folder, "saved"));
    expect(saved.status, saved.stderr).to.equal(0);
    const key = join(lost.folder, "backup-key");
    expect(saved.stderr).to.include(`created the backup key ${key}`);
    expect(saved.stdout).to.match(/Keep the backup key .*backup-key \([0-9a-f]{8}\) too, apart from the backups/);
    expect(statSync(key).mode & 0o777).to.equal(0o600);
    expect(existsSync(join(lost.folder, "saved/backup-key"))).to.equal(false);

    const bare = await machine();
    const archive = join(bare.folder, "saved");
    cpSync(join(lost.folder, "saved"), archive, { recursive: true });
    const early = await bare.run("restore", archive, "--add-signing-keys");
    expect([early.status, early.stderr]).to.satisfy(
      ([status, text]: [number, string]) => status === 1 && text.includes("there is no backup key"),
    );
    copyFileSync(key, join(bare.folder, "backup-key"));
    const restored = await bare.run("restore", archive, "--add-signing-keys");
    expect(restored.status, restored.stderr).to.equal(0);
    expect(restored.stdout).to.include("restored 5 key events");

    const after = await bare.auth();
    const outcomes = (await after.authorize({ key: kept.secret }, { key: revoked.secret })).authorizations;
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(["GRANTED", "REVOKED_KEY"]);
  }).timeout(60_000);
});
