import { createInterface } from "node:readline/promises";
import { type KeyView, keyFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { alignColumns, type CommandContext, printResult } from "../../command-line.ts";
import { refusePathInContainer, standardInput } from "../../read-input.ts";
import { type OpenedService, openAuth } from "../admin-client.ts";
import { keyTable } from "../output.ts";
import { type Candidate, createCandidateFinder, withoutKeys } from "./find-candidates.ts";
import { type Source, sourcesAt } from "./sources.ts";

const MAX_BATCH = 1_000;
/** Auth reads requests of 1 MB. */
const MAX_BATCH_CHARACTERS = 256 * 1_024;
const MAX_PLACES = 100;

export interface Place {
  file: string;
  line: number;
  /** The ID of a Git object. */
  object?: string;
}

/** A key of this service that was found. */
type FoundKey = KeyView & {
  /** At most 100. */
  places: Place[];
  /** The number of all places. */
  count: number;
};

/** Prints the keys of this service that are in standard input. @throws StartError, ServiceError */
export async function runFind(context: CommandContext, asJson = false): Promise<number> {
  using service = openAuth(context.environment);
  const found = await findIn(service, [{ file: "-", chunks: standardInput() }]);
  const keys = found.map(({ places: _, count: __, ...key }) => key);
  printResult(context, { json: keys, text: keyTable(keys, true) }, asJson);
  return 0;
}

/**
 * Prints the keys of this service that are in files or a Git history, and where, and revokes them if asked to.
 * @returns 1 if something couldn't be read. @throws StartError, ServiceError, CommandLineError
 */
export async function runScan(
  context: CommandContext,
  path: string,
  { revoke, yes, json }: { revoke?: boolean; yes?: boolean; json?: boolean },
): Promise<number> {
  refusePathInContainer(path, context.environment);
  let unread = 0;
  const warn = (file: string, reason: string) => {
    unread += 1;
    context.printError(`scan: ${withoutKeys(file)} wasn't read: ${withoutKeys(reason)}\n`);
  };
  using service = openAuth(context.environment);
  const found = await findIn(service, sourcesAt(path, warn), warn);
  const live = found.filter(({ status }) => status !== "revoked");
  if (revoke && live.length > 0) {
    if (!yes) await confirm(`Revoke ${live.length} ${live.length === 1 ? "key" : "keys"} permanently?`, found);
    for (const each of live) {
      const reason = `leaked: found in ${placeText(each.places[0])}`.slice(0, 200);
      const request = { keyId: each.keyId, reason };
      Object.assign(each, keyFromWire(await service.call(KEY_ADMIN.RevokeKey, request)));
    }
  }
  printResult(context, { json: found, text: foundText(found) }, json);
  return unread === 0 ? 0 : 1;
}

/** Shows what was found on standard error, and asks. @throws StartError unless the answer is yes */
async function confirm(question: string, found: readonly FoundKey[]): Promise<void> {
  if (!process.stdin.isTTY) throw new StartError("nothing was revoked: without a terminal, --revoke needs --yes");
  process.stderr.write(foundText(found));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new StartError("nothing was revoked");
  } finally {
    terminal.close();
  }
}

/**
 * Finds genuine keys in sources: auth knows them among the texts with their shape.
 * @returns the keys in the order in which they were found.
 */
async function findIn(
  service: OpenedService,
  sources: AsyncIterable<Source> | Iterable<Source>,
  unread: (file: string, reason: string) => void = () => undefined,
): Promise<FoundKey[]> {
  const found = new Map<string, FoundKey>();
  const lookUp = async (batch: ReadonlyMap<string, Place[]>) => {
    const places = [...batch.values()];
    const response = await service.call(KEY_ADMIN.FindKeys, { texts: [...batch.keys()] });
    for (const { index = 0, key } of response.found) {
      const here = places[index];
      if (!key || !here) continue;
      const view = keyFromWire(key);
      const entry = found.get(view.keyId) ?? { ...view, places: [], count: 0 };
      entry.places.push(...here.slice(0, MAX_PLACES - entry.places.length));
      entry.count += here.length;
      found.set(view.keyId, entry);
    }
  };
  let batch = new Map<string, Place[]>();
  let characters = 0;
  // The next batch is read while auth looks at this one.
  let lookedUp: Promise<void> = Promise.resolve();
  const flush = async () => {
    await lookedUp;
    lookedUp = lookUp(batch);
    // It is awaited above or below; until then, its failure isn't unhandled.
    lookedUp.catch(() => undefined);
    batch = new Map();
    characters = 0;
  };
  const add = async ({ text, line }: Candidate, { file, object }: Source) => {
    const places = batch.get(text) ?? [];
    batch.set(text, places);
    places.push({ file: withoutKeys(file), line, ...(object !== undefined && { object }) });
    characters += text.length;
    if (batch.size >= MAX_BATCH || characters >= MAX_BATCH_CHARACTERS) await flush();
  };
  for await (const source of sources) {
    const candidatesIn = createCandidateFinder();
    const chunks = source.chunks[Symbol.asyncIterator]();
    for (;;) {
      const chunk = await chunks.next().catch((error: Error) => {
        unread(source.file, error.message);
        return { done: true as const, value: undefined };
      });
      if (chunk.done) break;
      for (const candidate of candidatesIn(chunk.value)) await add(candidate, source);
    }
  }
  if (batch.size > 0) await flush();
  await lookedUp;
  return [...found.values()];
}

function placeText(place: Place | undefined): string {
  if (place === undefined) return "";
  const { file, line, object } = place;
  return `${file}:${line}${object === undefined ? "" : ` (object ${object.slice(0, 12)})`}`;
}

function foundText(found: readonly FoundKey[]): string {
  if (found.length === 0) return "No keys of this service were found.\n";
  const rows = found.flatMap((key) => [
    ...key.places.map((place) => [placeText(place), key.keyId, key.status, key.label]),
    ...(key.count > key.places.length ? [[`and ${key.count - key.places.length} more places`, key.keyId]] : []),
  ]);
  return alignColumns([["PLACE", "KEY ID", "STATUS", "LABEL"], ...rows]);
}
