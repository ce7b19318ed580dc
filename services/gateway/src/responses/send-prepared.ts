import { type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import type { ResponseWriter } from "../request/exchange.ts";
import { httpDate } from "./http-date.ts";

/** Where the status line and headers that `writeHead` joined are, until `end` sends them together with the body. */
interface Prepared extends ResponseWriter {
  _header: string;
  statusCode: number;
}

/** @returns the lines of headers, each with its line break. Joining keeps the text flat, so it can be held for long. */
export function headerLines(headers: OutgoingHttpHeaders): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** @returns names and values in turn. */
export function headersOf(lines: string): string[] {
  return lines
    .slice(0, -2)
    .split("\r\n")
    .flatMap((line) => {
      const end = line.indexOf(": ");
      return [line.slice(0, end), line.slice(end + 2)];
    });
}

/** @returns a response's status line and headers, with those that Node adds. */
export function responseHead(status: number, lines: string, keepsConnection: boolean): string {
  const date = httpDate();
  if (date !== headEnds.date) headEnds = headEndsOn(date);
  return statusLine(status) + lines + (keepsConnection ? headEnds.kept : headEnds.closed);
}

/** By status. The fewer parts a head has, the faster they are joined when it is sent. */
const statusLines: string[] = [];

function statusLine(status: number): string {
  statusLines[status] ??= flat("HTTP/1.1 ", String(status), " ", STATUS_CODES[status] ?? "", "\r\n");
  return statusLines[status];
}

let keepAliveSeconds = 0;
let headEnds = { date: "", kept: "", closed: "" };

/** Sets how long responses say that their connection stays open: on all servers of the process, which share KEEP_ALIVE_SECONDS. */
export function announceKeepAlive(seconds: number): void {
  keepAliveSeconds = seconds;
  headEnds = { date: "", kept: "", closed: "" };
}

/** The ends of heads while the date is the same: on connections that are kept, and on those that are closed. */
function headEndsOn(date: string): typeof headEnds {
  const end = (connection: string) => flat("Date: ", date, "\r\n", connection, "\r\n");
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`;
  return { date, kept: end(kept), closed: end("Connection: close\r\n") };
}

/** Joins strings into a flat one. V8 would otherwise flatten it for each response. */
function flat(...parts: string[]): string {
  return parts.join("");
}

/**
 * Responds. For the responses that the service sends most, this replaces `writeHead`, which checks each header of
 * each response again and joins them one by one: that took a third of the CPU time of a response with twenty headers.
 * Responses that end their connection are sent by `writeHead`.
 * @param lines Content-Length and all other headers but Date and those of the connection, each with its line break, in
 * Latin-1 (ASCII if the body isn't). Nothing checks them: no value may contain a control character.
 * @param encoding of the whole response. Latin-1 is written as it is, so it is also the better one for ASCII.
 */
export function sendPrepared(
  res: ResponseWriter,
  lines: string,
  body: string,
  encoding: "latin1" | "utf8",
  status = 200,
): void {
  if (endsConnection(res)) res.writeHead(status, headersOf(lines));
  else {
    (res as Prepared).statusCode = status;
    (res as Prepared)._header = responseHead(status, lines, true);
  }
  res.end(body, encoding);
}

/** A body that was announced with `Expect` may still follow, and would be taken for the next request. */
function endsConnection(res: ResponseWriter): boolean {
  return !res.shouldKeepAlive || res.hasHeader("Connection") || res.req.headers.expect !== undefined;
}
