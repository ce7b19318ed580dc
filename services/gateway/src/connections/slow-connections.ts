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
  all: () => readonly Connection[];
  unsent: () => number;
  isTooMuch: (held: number) => boolean;
  close: (reason: ClosedReason, connection: Connection) => void;
  checkIntervalMs?: number | undefined;
}): SlowConnections {
  let checks = 0;
  let isCheckDue = false;

  const noteProgress = (connection: Connection) => {
    const takenBytes = bytesTakenByKernel(connection.socket);
    if (takenBytes !== connection.takenBytes) connection.progressAtCheck = checks;
    connection.takenBytes = takenBytes;
  };
  const findSlow = () => {
    const slow = options.all().filter(({ socket }) => hasFullKernelBuffer(socket));
    slow.forEach(noteProgress);
    return slow;
  };
  const closeStalled = () => {
    checks += 1;
    for (const connection of findSlow())
      if (checks - connection.progressAtCheck >= MAX_CHECKS_WITHOUT_PROGRESS) options.close("stalled", connection);
  };
  const closeLongestStalled = () => {
    isCheckDue = false;
    // Most responses that were unsent at the end of a batch are sent by now. Looking at all connections takes a while.
    if (!options.isTooMuch(options.unsent())) return;
    const slow = findSlow().sort((left, right) => left.progressAtCheck - right.progressAtCheck);
    let held = slow.filter(({ open }) => open).length;
    for (const connection of slow) {
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
