import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { VersionConflict } from "../../domain/key-event.ts";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../../runtime/observability/log.ts";
import { encodeLine, openLineFile } from "../files/line-file.ts";
import { type OperatorEvent, type OperatorLog, type OperatorLogFollower, parseOperatorEvent } from "./operator-log.ts";

/** The log's file in a data folder. */
export function operatorLogFileIn(dataDir: string): string {
  return join(dataDir, "operators", "events.jsonl");
}

/**
 * Opens the log of operators in `<dataDir>/operators/events.jsonl`, creating it if needed. The caller has locked the key log next to it,
 * so no other process writes to it.
 * @throws StartError if the file is damaged.
 */
export async function openFileOperatorLog(options: { dataDir: string; log: Logger }): Promise<OperatorLog> {
  const path = operatorLogFileIn(options.dataDir);
  await mkdir(join(path, ".."), { recursive: true });
  const events: OperatorEvent[] = [];
  const visit = (value: object) => void events.push(parseOperatorEvent(value));
  const file = await openLineFile(path, { name: "the log of operators", visit, log: options.log });
  let follower: OperatorLogFollower | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = async (event: OperatorEvent) => {
    if (events.some(({ id }) => id === event.id)) return;
    const last = events.findLast(({ operator }) => operator === event.operator)?.version ?? 0;
    if (event.version !== last + 1) throw new VersionConflict(`operator ${event.operator} has version ${last}`);
    try {
      await file.append(encodeLine(event));
    } catch (cause) {
      const text = `the log of operators can't be written; nothing was changed: ${(cause as Error).message}`;
      throw new ServiceError("unavailable", text, { cause });
    }
    events.push(event);
    follower?.apply(event);
  };
  return {
    follow: (each) => {
      follower = each;
      each.reset(events);
    },
    append: (event) => {
      const written = writing.then(() => write(event));
      writing = written.catch(() => undefined);
      return written;
    },
    events: () => events,
    refresh: async () => undefined,
    ageMs: () => 0,
    [Symbol.asyncDispose]: async () => {
      await writing;
      await file[Symbol.asyncDispose]();
    },
  };
}
