import type { Server } from "node:http";
import type { Socket } from "node:net";

const END_OF_HEADERS = "\r\n\r\n";

/** What happens to input now: Node parses it, it waits until the current request has its response, or it is dropped. */
export type InputState = "parse" | "wait" | "drop";

/** What a connection has received and Node hasn't parsed. */
interface Input {
  waitingBytes(): number;
  /** Lets Node parse until the state changes. Call when it may have. */
  parse(): void;
  /** The same with bytes that come before those that wait. */
  parseFirst(bytes: Buffer): void;
  /** From now on, the listeners that Node has just added get the input from here. */
  takeOver(): void;
}

const INPUT = Symbol("input");
type ReadSocket = Socket & { [INPUT]?: Input };

/** @returns null before the connection has had a request. */
export function inputOf(socket: ReadSocket): Input | null {
  return socket[INPUT] ?? null;
}

/**
 * Lets Node parse one request at a time. It would parse all that one read returns, up to 64 kB: 1,800 requests, most of which only
 * wait, but cost more than 20 ms. While a few hundred connections send that much, a turn of the event loop takes seconds, and accepts
 * a single new connection (new-connections.ts). Input is split after each empty line, which ends the headers of a request, or is in its body.
 * Call before other listeners for connections are added.
 * @param options.stateOf whether Node may parse more of a connection's input.
 * @param options.onWaiting takes how many more or fewer bytes of a connection wait than before.
 */
export function splitInput(
  server: Server,
  event: "connection" | "secureConnection",
  options: { stateOf(socket: Socket): InputState; onWaiting(socket: Socket, bytes: number): void },
): void {
  const [nodeListener] = server.listeners(event) as ((this: Server, socket: Socket) => void)[];
  if (!nodeListener) throw new Error(`the server has no listener for ${event}`);
  server.off(event, nodeListener);
  server.on(event, (socket: ReadSocket) => {
    nodeListener.call(server, socket);
    socket[INPUT] ??= readInput(socket, options);
    socket[INPUT].takeOver();
  });
}

function readInput(socket: Socket, { stateOf, onWaiting }: Parameters<typeof splitInput>[2]): Input {
  let parseInput: (input: Buffer) => void;
  let endInput: () => void;
  let rest: Buffer | null = null;
  let reportedBytes = 0;
  let isParsing = false;
  /** The client has closed its side, which Node doesn't know yet. */
  let mustEnd = false;

  /** @returns what Node may parse next; null if nothing. */
  const next = (): Buffer | null => {
    if (rest === null) return null;
    const state = socket.destroyed ? "drop" : stateOf(socket);
    if (state === "wait") return null;
    const input = rest;
    const end = input.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length;
    const isWhole = end < END_OF_HEADERS.length || end === input.length;
    rest = state === "drop" || isWhole ? null : input.subarray(end);
    if (state === "drop") return null;
    return isWhole ? input : input.subarray(0, end);
  };
  const parse = () => {
    if (isParsing) return;
    isParsing = true;
    for (let input = next(); input !== null; input = next()) parseInput(input);
    isParsing = false;
    report();
    if (rest !== null && stateOf(socket) === "drop") {
      rest = null;
      report();
    }
    if (rest !== null) return void socket.pause();
    if (socket.isPaused()) socket.resume();
    if (!mustEnd) return;
    mustEnd = false;
    endInput();
  };
  const report = () => {
    const bytes = rest?.length ?? 0;
    if (bytes !== reportedBytes) onWaiting(socket, bytes - reportedBytes);
    reportedBytes = bytes;
  };
  const onData = (input: Buffer) => {
    rest = rest === null ? input : Buffer.concat([rest, input]);
    parse();
  };
  // Also emitted while the connection is paused.
  const onEnd = () => {
    mustEnd = true;
    if (rest === null) parse();
  };
  socket.once("close", () => {
    rest = null;
    report();
  });
  return {
    waitingBytes: () => rest?.length ?? 0,
    parse,
    parseFirst: (bytes) => {
      rest = rest === null ? bytes : Buffer.concat([bytes, rest]);
      parse();
    },
    takeOver: () => {
      [parseInput, endInput] = (["data", "end"] as const).map((event) => {
        const listener = socket.listeners(event).at(-1) as () => void;
        socket.off(event, listener);
        return listener;
      }) as [typeof parseInput, typeof endInput];
      // A listener for data also makes Node stop reading the system's socket directly.
      socket.off("data", onData).on("data", onData).off("end", onEnd).on("end", onEnd);
      mustEnd = socket.readableEnded;
    },
  };
}
