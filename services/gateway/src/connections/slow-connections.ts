import { bytesTakenByKernel, hasFullKernelBuffer } from "@geolookup/shared/runtime/http/socket-progress.ts";
import type { ClosedReason, Connection } from "./connection.ts";

/** A connection whose output makes no progress in this many checks (10 s) is closed. */
const MAX_CHECKS_WITHOUT_PROGRESS = 10;
const CHECK_INTERVAL_MS = 1_000;

export interface SlowConnections extends Disposable {
  /** Checks whether callers hold too much, after Node has handed this turn's responses to the kernel. */
  checkSoon(): void;
}

/**
 * Closes connections whose callers don't read: each after 10 s without progress, and if all of them together hold too
 * much, those without progress for the longest time. It counts checks instead of time, so that a suspended process
 * doesn't close connections whose callers had no chance to read.
 * @param options.unsent responses that are written and not yet sent, of all connections.
 * @param options.isTooMuch whether connections with unsent output hold too many requests.
 * @param options.checkIntervalMs for tests: milliseconds between two checks for progress.
 */
export function watchSlowConnections(options: {
  all: () => Iterable<Connection>;
  unsent: () => number;
  isTooMuch: (held: number) => boolean;
  close: (reason: ClosedReason, connection: Connection) => void;
  checkIntervalMs?: number | undefined;
}): SlowConnections {
  let checks = 0;
  let isCheckDue = false;
  /** Bytes that the kernel had taken at the check at which a connection's output had last made progress. */
  const progress = new WeakMap<Connection, { takenBytes: number; atCheck: number }>();

  /** Connections whose output waits, and how many checks ago it last made progress. */
  const findSlow = () => {
    const slow: { connection: Connection; checksWithoutProgress: number }[] = [];
    for (const connection of options.all()) {
      if (!hasFullKernelBuffer(connection.socket)) continue;
      const takenBytes = bytesTakenByKernel(connection.socket);
      let last = progress.get(connection);
      if (last?.takenBytes !== takenBytes) {
        last = { takenBytes, atCheck: checks };
        progress.set(connection, last);
      }
      slow.push({ connection, checksWithoutProgress: checks - last.atCheck });
    }
    return slow;
  };
  const closeStalled = () => {
    checks += 1;
    for (const { connection, checksWithoutProgress } of findSlow())
      if (checksWithoutProgress >= MAX_CHECKS_WITHOUT_PROGRESS) options.close("stalled", connection);
  };
  const closeLongestStalled = () => {
    isCheckDue = false;
    // Most responses that were unsent at the end of a batch are sent by now. Looking at all connections takes a while.
    if (!options.isTooMuch(options.unsent())) return;
    const slow = findSlow().sort((left, right) => right.checksWithoutProgress - left.checksWithoutProgress);
    let held = slow.filter(({ connection }) => connection.open).length;
    for (const { connection } of slow) {
      if (!options.isTooMuch(held)) return;
      if (connection.open) held -= 1;
      options.close("unsent", connection);
    }
  };
  const checking = setInterval(closeStalled, options.checkIntervalMs ?? CHECK_INTERVAL_MS);
  checking.unref();
  return {
    checkSoon: () => {
      if (isCheckDue) return;
      isCheckDue = true;
      setImmediate(closeLongestStalled);
    },
    [Symbol.dispose]: () => clearInterval(checking),
  };
}
