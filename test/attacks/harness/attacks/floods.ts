import type { Socket } from "node:net";
import { atRate } from "../at-rate.ts";
import { openSocket, type Reached } from "../sockets.ts";
import type { Target } from "../target.ts";
import { createTally } from "./attack.ts";

/** A request, and the error code that is expected; null: a response without an error. */
export interface FloodRequest {
  bytes: string;
  code: string | null;
}

/**
 * Sends requests at a steady rate over keep-alive connections, and reopens those that the server closes. A connection has at
 * most one request in flight, so that responses can be matched to requests.
 * @returns counts of requests and responses, and of responses by code.
 */
export async function flood(
  target: Pick<Target, "url" | "ca">,
  signal: AbortSignal,
  options: {
    connections: number;
    perSecond: number;
    requestOf: (turn: number) => FloodRequest;
    /** Local addresses that the connections come from, all in 127.0.0.0/8. By default, the system chooses one. */
    addresses?: readonly string[];
    /** Called for each response. */
    onResponse?: () => void;
  },
) {
  const { connections, perSecond, requestOf, addresses = [], onResponse = () => {} } = options;
  const tally = createTally();
  const codes = createTally();
  const idle: Line[] = [];
  const lines = Array.from({ length: connections }, (_, index) => {
    const localAddress = addresses[index % addresses.length];
    return new Line({ ...target, ...(localAddress === undefined ? {} : { localAddress }) });
  });
  idle.push(...lines);
  await atRate(perSecond, signal, (turn) => {
    const line = idle.pop();
    if (line === undefined) return tally.add("not sent: all connections busy");
    const request = requestOf(turn);
    void line.ask(request.bytes).then((text) => {
      idle.push(line);
      tally.add(text === "" ? "no response" : `status ${text.slice(9, 12)}`);
      if (text !== "") onResponse();
      if (text !== "") codes.add(/"code":"(\w+)"/.exec(text)?.[1] ?? "ok");
    });
  });
  await Promise.all(lines.map((line) => line[Symbol.asyncDispose]()));
  return { tally: tally.counts, codes: codes.counts };
}

const RESPONSE_TIMEOUT_MS = 20_000;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/** A keep-alive connection with at most one request in flight. */
class Line {
  private socket: Socket | null = null;
  private response = Promise.resolve("");
  private readonly target: Reached;

  constructor(target: Reached) {
    this.target = target;
  }

  /** @returns the whole response; empty if there was none. Never rejects. */
  ask(bytes: string): Promise<string> {
    this.response = this.exchange(bytes);
    return this.response;
  }

  /** Waits for the response in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.response;
    this.socket?.destroy();
  }

  private async exchange(bytes: string): Promise<string> {
    if (this.socket === null || this.socket.destroyed) this.socket = await openSocket(this.target);
    const { socket } = this;
    if (!socket) return "";
    return new Promise((resolve) => {
      let text = "";
      const giveUp = () => socket.destroy();
      const done = () => {
        socket.off("data", read).off("close", done).off("timeout", giveUp).setTimeout(0);
        if (/\r\nconnection: close\r\n/i.test(text)) socket.destroy();
        resolve(text);
      };
      const read = (chunk: Buffer) => {
        text += chunk.toString("latin1");
        if (isWhole(text)) done();
      };
      socket.on("data", read).once("close", done);
      socket.setTimeout(RESPONSE_TIMEOUT_MS).once("timeout", giveUp);
      socket.write(bytes, "latin1");
    });
  }
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  if (text.startsWith("HTTP/1.1 204")) return true;
  const length = CONTENT_LENGTH.exec(text.slice(0, headEnd))?.[1];
  return length !== undefined && text.length >= headEnd + 4 + Number(length);
}
