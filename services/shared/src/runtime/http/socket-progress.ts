import type { Socket } from "node:net";

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
