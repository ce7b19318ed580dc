import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { CODE, FILES, MANIFEST, makeArchive, SUMS } from "../../../scripts/backup/archive.ts";
import { type BackupKey, keyForRestore } from "../../../scripts/backup/backup-key.ts";
import { type CheckedArchive, checkArchive } from "../../../scripts/restore/check-archive.ts";
import { checkMessages } from "../../../scripts/restore/check-messages.ts";
import { signArchive } from "../../../scripts/restore/testing/sign-archive.ts";
import type { FuzzSubject } from "../fuzz.ts";
import { mutated } from "../mutations.ts";
import { GOOD_LOG } from "./key-log.ts";

const NAMES = [
  ...[SUMS, MANIFEST, FILES.usage, FILES.months, FILES.keys, FILES.signingKeys, CODE],
  ...[FILES.operators, FILES.audit],
];
const TOKENS = [
  '"version":1',
  '"usageMessages":1e9',
  "../",
  "\n",
  '{"subject":"a","data":"e30="}\n',
  '"__proto__":{}',
  '"subject":"keys.>"',
];
/** An input's first byte chooses the file that the rest replaces. If this bit is set, the archive is signed again. */
const SIGNED = 0x80;
const OWN_SUBJECT = /^(keys|usage|usage-months|operators|audit)\./;
const EVENT = { id: "1", at: "2026-01-01T00:00:00Z", by: "admin" };
const OPERATOR = {
  ...{ ...EVENT, type: "OperatorAdded", operator: "alice", version: 1 },
  data: { role: "viewer", tokenSha256: "a".repeat(64) },
};
const AUDIT = { entry: { ...EVENT, action: "OperatorAdded", subject: "alice" }, positions: {} };
const USAGE = Buffer.from('{"type":"usage","version":1,"counts":{"key_1":1}}').toString("base64");

/**
 * A changed archive is refused with a message for the operator. One that was signed again with the key is refused as well, or
 * has only messages of the archived streams.
 */
export async function openArchive(corpus: readonly Uint8Array[]): Promise<FuzzSubject> {
  const folder = mkdtempSync(join(tmpdir(), "geolookup-fuzz-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const keyFile = join(folder, "backup-key");
  writeFileSync(keyFile, "s".repeat(64), { mode: 0o600 });
  const key = await keyForRestore({ BACKUP_KEY_FILE: keyFile });
  const good = join(folder, "good");
  await makeGoodArchive(good, key);
  // The archive to mutate must be valid.
  await checkMessages(good, await checkArchive(good, key), false);
  const bases = NAMES.flatMap((name, index) =>
    [0, SIGNED].map((signed) => Buffer.concat([Buffer.of(index | signed), readFileSync(join(good, name))])),
  );
  const changed = join(folder, "changed");
  return {
    inputs: mutated([...bases, ...corpus], TOKENS),
    async check(input) {
      const [first = 0] = input;
      const name = NAMES[(first & ~SIGNED) % NAMES.length] as string;
      const content = Buffer.from(input.subarray(1));
      rmSync(changed, { recursive: true, force: true });
      await cp(good, changed, { recursive: true });
      writeFileSync(join(changed, name), content);
      const isSigned = (first & SIGNED) !== 0 && signs(changed, keyFile);
      const checked = await refusedOr(checkArchive(changed, key));
      const isSame = content.equals(readFileSync(join(good, name)));
      if (checked && !isSame && !isSigned) throw new Error(`an archive with a changed ${name} is accepted`);
      const unauthenticated = await refusedOr(checkArchive(changed, null));
      for (const archive of [checked, unauthenticated]) if (archive) await checkOwn(changed, archive);
    },
  };
}

function makeGoodArchive(folder: string, key: BackupKey) {
  const line = (subject: string, data: string) => `${JSON.stringify({ subject, data })}\n`;
  return makeArchive(folder, key, async (path) => {
    const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");
    const events = GOOD_LOG.map((event) => line(`keys.${event.keyId}`, base64(event)));
    writeFileSync(join(path, FILES.keys), events.join(""));
    writeFileSync(join(path, FILES.usage), line("usage.20260101.instance.0", USAGE).repeat(3));
    writeFileSync(join(path, FILES.months), line("usage-months.202601.0", USAGE));
    writeFileSync(join(path, FILES.operators), line("operators.alice", base64(OPERATOR)));
    writeFileSync(join(path, FILES.audit), line("audit.1", base64(AUDIT)));
    writeFileSync(join(path, FILES.signingKeys), "{}");
    const keys = { events: events.length, lastSequence: events.length, lastMessageSha256: "a".repeat(64) };
    const others = { operatorMessages: 1, auditMessages: 1, hasSigningKeys: true };
    return { createdAt: "2026-01-01T00:00:00Z", keys, usageMessages: 3, monthMessages: 1, ...others };
  });
}

/** @returns false if the manifest can't be read. */
function signs(folder: string, keyFile: string): boolean {
  try {
    signArchive(folder, keyFile);
    return true;
  } catch {
    return false;
  }
}

async function checkOwn(folder: string, archive: CheckedArchive): Promise<void> {
  for (const leavesOut of [false, true]) {
    const messages = await refusedOr(checkMessages(folder, archive, leavesOut));
    if (messages === null) continue;
    const { keys, usage, months, operators, audit } = messages;
    for (const part of [keys.messages(), usage(), months(), operators(), audit()])
      for await (const { subject } of part)
        if (!OWN_SUBJECT.test(subject)) throw new Error(`a message for ${subject} would be published`);
  }
}

/** @throws any error that isn't a message for the operator. */
async function refusedOr<Result>(checked: Promise<Result>): Promise<Result | null> {
  try {
    return await checked;
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
}
