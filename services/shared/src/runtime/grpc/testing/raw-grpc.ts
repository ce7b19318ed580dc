import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { type Socket, connect as tcpConnect } from "node:net";
import type grpc from "@grpc/grpc-js";

/** HTTP/2's preface and an empty SETTINGS frame. */
export const HANDSHAKE = Buffer.from(
  `${Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").toString("hex")}000000040000000000`,
  "hex",
);
/** A PING frame. */
export const PING = Buffer.from(`000008060000000000${"00".repeat(8)}`, "hex");

/**
 * A bare connection to a port of this machine. Says when it was closed.
 * @param from an address of this machine, with a port where it matters.
 * @param host the address to connect to.
 */
export async function openSocket(
  port: number,
  from: string | { address: string; port: number } = "127.0.0.1",
  host = "127.0.0.1",
  allowHalfOpen = false,
): Promise<{ socket: Socket; isClosed(): boolean }> {
  const local =
    typeof from === "string" ? { localAddress: from } : { localAddress: from.address, localPort: from.port };
  const socket = tcpConnect({ port, host, allowHalfOpen, ...local });
  let isClosed = false;
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  socket.resume();
  await once(socket, "connect");
  return { socket, isClosed: () => isClosed };
}

/** An HTTP/2 connection for calls that may stay unfinished. */
export function openHttp2(port: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  return session;
}

/** Starts a call; the test decides what it sends. */
export function beginCall(
  session: ClientHttp2Session,
  path: string,
  headers: Record<string, string> = {},
): ClientHttp2Stream {
  const call = session.request(
    { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers", ...headers },
    { endStream: false },
  );
  call.on("error", () => {});
  return call;
}

/** The status that a call ends with. */
export function statusOf(call: ClientHttp2Stream): Promise<grpc.status> {
  return new Promise((resolve, reject) => {
    const take = (headers: Record<string, unknown>) => {
      if (headers["grpc-status"] !== undefined) resolve(Number(headers["grpc-status"]));
    };
    call.on("response", take);
    call.on("trailers", take);
    call.on("close", () => reject(new Error(`the call ended without a status, with code ${call.rstCode}`)));
    call.resume();
  });
}

/** A message as gRPC frames it. */
export function framed(message: Buffer, isCompressed = false): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt8(Number(isCompressed));
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  return frame;
}
