import type { KeyLogMark } from "@geolookup/shared/domain/key-event.ts";
import { decidedAtMs } from "@geolookup/shared/domain/key-log-epoch.ts";
import type { KeyUsage } from "@geolookup/shared/domain/usage.ts";
import type { FoundKeyStream } from "@geolookup/shared/logs/keys/jetstream/follower.ts";
import type { NatsConnection } from "@geolookup/shared/runtime/nats/connection.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { decideKeyLog, type KeyLogWitness } from "./key-log-loss.ts";
import { askOtherNodes, readSharedMark } from "./shared-mark.ts";

/**
 * Checks that the key log on NATS is whole: that it has what this node's mark, the stream of marks and the other auth nodes
 * say, and that it isn't empty while keys are in use.
 * @param options.own the mark that this node has stored.
 * @param options.keyUsage null if the usage service isn't known.
 * @returns what shows that events are missing; undefined if nothing does.
 */
export async function whatShowsLoss(
  found: FoundKeyStream,
  connection: NatsConnection,
  options: { own: KeyLogMark | undefined; keyUsage: KeyUsage | null; log: Logger },
): Promise<string | undefined> {
  const read = ({ sequence }: KeyLogMark) => `had read event ${sequence}`;
  const [shared, others] = await Promise.all([readSharedMark(connection), askOtherNodes(connection)]);
  const witnesses: KeyLogWitness[] = [
    ...(options.own ? [{ ...options.own, name: `this node ${read(options.own)}` }] : []),
    ...(shared ? [{ ...shared, name: `the stream of marks says that auth ${read(shared)}` }] : []),
    ...(others ? [{ ...others, name: `another auth node ${read(others)}` }] : []),
  ];
  if (found.lastSequence === 0 && decidedAtMs(found.epoch) === 0 && options.keyUsage) {
    const keyId = await anyUsedKey(options.keyUsage, options.log);
    if (keyId !== undefined) witnesses.push({ name: `the key ${keyId} was used`, keysExisted: true });
  }
  const eventIds = new Map<number, string | undefined>();
  for (const witness of witnesses)
    if ("sequence" in witness) eventIds.set(witness.sequence, await found.eventIdAt(witness.sequence));
  const { epoch, lastSequence } = found;
  const hasEvent = (eventId: string, sequence: number) => eventIds.get(sequence) === eventId;
  const state = decideKeyLog({ epoch, lastSequence, hasEvent }, witnesses);
  if (state.kind !== "lost") return undefined;
  return `it ends at event ${lastSequence}, but ${[...new Set(state.shownBy)].join("; ")}`;
}

/** @returns undefined if no key was used, or while usage can't say. */
async function anyUsedKey(keyUsage: KeyUsage, log: Logger): Promise<string | undefined> {
  try {
    for await (const totals of keyUsage.usedKeys(null, 1)) {
      const [keyId] = totals.keys();
      if (keyId !== undefined) return keyId;
    }
  } catch (error) {
    log.warn(
      { reason: (error as Error).message },
      "usage can't say whether keys were used; the empty key log is accepted",
    );
  }
  return undefined;
}
