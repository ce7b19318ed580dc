import type { Socket } from "node:net";
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

/** A handle as Node's own `Socket` reads it to tell whether a write makes progress. */
interface StreamHandle {
  bytesWritten: number;
  writeQueueSize: number;
  /** Of TLS: the TCP connection's handle. */
  _parent?: StreamHandle;
}

/**
 * How many bytes of a connection's output the kernel has accepted. The socket's `bytesWritten` counts a write when it begins,
 * and `writableLength` drops when it ends: neither shows the progress of a large write.
 * @returns 0 once the connection is closed.
 */
export function bytesTakenByKernel(socket: Socket): number {
  const handle = connectionHandle(socket);
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

/**
 * Whether the kernel's send buffer for a connection is full. `writableLength` doesn't show this for TLS, where every
 * write takes a turn of the event loop to end.
 */
export function hasFullKernelBuffer(socket: Socket): boolean {
  return (connectionHandle(socket)?.writeQueueSize ?? 0) > 0;
}

/** Of the TCP connection; null once it is closed. */
function connectionHandle(socket: Socket): StreamHandle | null {
  const { _handle: handle } = socket as unknown as { _handle: StreamHandle | null };
  return handle?._parent ?? handle;
}
