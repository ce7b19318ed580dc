import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { IDEMPOTENCY_STREAM, idempotencyStreamSettings } from "@geolookup/shared/logs/set-up-streams.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import type { NatsLink } from "@geolookup/shared/runtime/nats/connection.ts";
import type { JetStream } from "@geolookup/shared/runtime/nats/jet-stream.ts";
import { isWrongLastSequence } from "@geolookup/shared/runtime/nats/stream.ts";

/** What the admin API stores about changes with an Idempotency-Key, for 24 hours. Names are 64 hexadecimal digits. */
export interface IdempotencyRecords {
  /** @returns revision 0 if there is none. @throws ServiceError `unavailable` */
  get(name: string): Promise<StoredRecord>;
  /**
   * Resolves once the record is durable, with its revision.
   * @param revision of the record that it replaces; 0: there is none.
   * @throws ServiceError `conflict` if there is another one; `unavailable`.
   */
  put(name: string, json: string, revision: number): Promise<number>;
}

export interface StoredRecord {
  json: string;
  revision: number;
}

const NONE: StoredRecord = { json: "", revision: 0 };
const TIMEOUT_MS = 1_000;
const DAY_MS = 86_400_000;
const MAX_FILES = 10_000;

/** In the stream IDEMPOTENCY, which must exist. */
export function streamRecords(nats: NatsLink, replicas: number): IdempotencyRecords {
  let isVerified = false;
  const withStream = async <Result>(use: (jetStream: JetStream) => Promise<Result>): Promise<Result> => {
    if (!nats.isUp()) throw unavailable(undefined);
    try {
      const jetStream = await (await nats.connected()).jetStream(TIMEOUT_MS);
      if (!isVerified) await jetStream.verifyStream(idempotencyStreamSettings(replicas));
      isVerified = true;
      return await use(jetStream);
    } catch (error) {
      throw isWrongLastSequence(error) ? conflict() : unavailable(error);
    }
  };
  return {
    get: (name) =>
      withStream(async (jetStream) => {
        const message = await jetStream.findMessage(IDEMPOTENCY_STREAM, { last_by_subj: `idempotency.${name}` });
        return message ? { json: Buffer.from(message.data).toString(), revision: message.seq } : NONE;
      }),
    put: (name, json, revision) =>
      withStream((jetStream) => jetStream.publish(`idempotency.${name}`, json, { lastSubjectSequence: revision })),
  };
}

/** In a folder that no other process uses, a file for each; at most the latest 10,000. */
export function fileRecords(folder: string, clock: Clock): IdempotencyRecords {
  /** When each file was written, oldest first. */
  let written: Map<string, number> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const remove = async (name: string, files: Map<string, number>) => {
    await rm(join(folder, name), { force: true });
    files.delete(name);
  };
  const prune = async (files: Map<string, number>) => {
    for (const [name, atMs] of files) {
      if (files.size <= MAX_FILES && atMs > clock() - DAY_MS) return;
      await remove(name, files);
    }
  };
  const read = async (name: string): Promise<StoredRecord> => {
    written ??= await listFiles(folder);
    const files = written;
    await prune(files);
    return files.has(name) ? JSON.parse(await readFile(join(folder, name), "utf8")) : NONE;
  };
  /** One at a time, so that what a put compares is what it replaces. */
  const inTurn = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(act).catch((error: unknown) => {
      throw error instanceof ServiceError ? error : unavailable(error);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    get: (name) => inTurn(() => read(name)),
    put: (name, json, revision) =>
      inTurn(async () => {
        const stored = await read(name);
        if (stored.revision !== revision) throw conflict();
        await replaceFile(join(folder, name), JSON.stringify({ json, revision: revision + 1 }));
        const files = written as Map<string, number>;
        files.delete(name);
        files.set(name, clock());
        return revision + 1;
      }),
  };
}

async function listFiles(folder: string): Promise<Map<string, number>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}$/.test(name));
  const files = await Promise.all(
    names.map(async (name): Promise<[string, number]> => [name, (await stat(join(folder, name))).mtimeMs]),
  );
  return new Map(files.sort(([, one], [, other]) => one - other));
}

function conflict(): ServiceError {
  return new ServiceError("conflict", "another request with this Idempotency-Key came first");
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("unavailable", "the store for Idempotency-Keys isn't responding", { cause });
}
