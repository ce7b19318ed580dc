import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { KeyLogMark, PlansChanged } from "@geolookup/shared/domain/key-event.ts";
import { scanLines } from "@geolookup/shared/logs/append-only-file.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import type { SigningKey } from "../../signing/signature.ts";
import type { SigningRing } from "../../signing/signing-ring.ts";
import type { KeySnapshot, RestoredKeys } from "../key-registry.ts";
import { createKeyTables, type StoredPart } from "../key-tables.ts";
import { createLineChain, type LineChain } from "./chained-lines.ts";

/** The first line. Each of the others is a StoredPart. */
interface Header {
  mark: KeyLogMark;
  planChanges: readonly PlansChanged[];
  count: number;
  planNames: readonly string[];
}

/** More than a part of the largest keys needs. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/**
 * Replaces the snapshot, part by part, so that the process stays responsive.
 * @throws Error of the system; what `signal` was aborted with. Then the file is unchanged.
 */
export async function writeSnapshot(
  path: string,
  { mark, planChanges, keys }: KeySnapshot,
  signingKey: SigningKey,
  signal: AbortSignal,
): Promise<void> {
  const chain = createLineChain(signingKey);
  await replaceFile(path, lines());

  async function* lines(): AsyncGenerator<string> {
    yield chain.seal(
      JSON.stringify({ mark, planChanges, count: keys.count, planNames: keys.planNames } satisfies Header),
    );
    for (const part of keys.parts) {
      signal.throwIfAborted();
      yield chain.seal(JSON.stringify(part));
    }
  }
}

/**
 * Reads a snapshot. Nothing is used of a line before its MAC was checked.
 * @returns undefined if the file doesn't exist.
 * @throws Error saying why it can't be used.
 */
export async function readSnapshot(path: string, ring: SigningRing): Promise<RestoredKeys | undefined> {
  const file = await openRegularFile(path);
  if (!file) return undefined;
  await using _closed = { [Symbol.asyncDispose]: () => file.close() };
  const tables = createKeyTables();
  let chain: LineChain | undefined;
  let header: Header | undefined;
  const { rest } = await scanLines(
    file,
    { from: 0 },
    (line) => {
      if (!chain || !header) {
        const opened = openFirst(line, ring);
        chain = opened.chain;
        header = JSON.parse(opened.line) as Header;
        // A version that skips changes of the plans wrote it.
        if (!header.planChanges) throw new Error("an earlier version wrote it");
        return;
      }
      const text = chain.open(line);
      if (text === undefined) throw new Error("it was changed after it was written");
      tables.addStored(JSON.parse(text) as StoredPart, header.planNames);
    },
    MAX_LINE_BYTES,
  );
  if (!header || rest.length > 0 || tables.size() !== header.count) throw new Error("it is incomplete");
  return { mark: header.mark, planChanges: header.planChanges, tables };
}

/** Doesn't wait for a writer if it is a named pipe. */
async function openRegularFile(path: string) {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  throw new Error("it isn't a regular file");
}

/** Whichever signing key sealed it: the active one may have changed since. */
function openFirst(sealed: Buffer, ring: SigningRing): { chain: LineChain; line: string } {
  for (const signingKey of ring.byId.values()) {
    const chain = createLineChain(signingKey);
    const line = chain.open(sealed);
    if (line !== undefined) return { chain, line };
  }
  throw new Error("none of the signing keys signed it, or another version wrote it");
}
