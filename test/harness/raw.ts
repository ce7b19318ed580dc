import { connect as connectPlain } from "node:net";
import { connect as connectTls } from "node:tls";
import { trust } from "./http.ts";

const TIMEOUT_MS = 5_000;

export interface RawResponse {
  status: number;
  /** Lower-case names; the last of several lines wins. */
  headers: Record<string, string>;
  body: string;
  /** Everything that the server sent before it closed the connection. */
  whole: string;
}

/**
 * Writes bytes to a server and reads until the server closes the connection.
 * @param bytes sent unchanged (latin1), without an HTTP client's checks.
 * @throws Error if the server hasn't closed the connection after 5 s, or the response isn't HTTP.
 */
export async function sendRaw(url: string, bytes: string): Promise<RawResponse> {
  const whole = await exchange(url, bytes);
  const end = whole.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = whole.slice(0, Math.max(end, 0)).split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1];
  if (!status) throw new Error(`not an HTTP response: ${JSON.stringify(whole.slice(0, 200))}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(status), headers, body: whole.slice(end + 4), whole };
}

/** Writes bytes and returns everything received until the server closes the connection. */
export function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port, protocol } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    const to = { host: hostname, port: Number(port || 80) };
    const write = () => socket.write(bytes, "latin1");
    const socket = protocol === "https:" ? connectTls({ ...to, ...trust(hostname) }, write) : connectPlain(to, write);
    socket.setEncoding("utf8");
    socket.setTimeout(TIMEOUT_MS, () => {
      socket.destroy();
      reject(new Error(`the server left the connection open for ${TIMEOUT_MS} ms after ${JSON.stringify(received)}`));
    });
    socket.on("data", (text: string) => {
      received += text;
    });
    // The server resets the connection after its response, to drop data that it won't read.
    socket.on("error", (error) => (received === "" ? reject(error) : resolve(received)));
    socket.on("close", () => resolve(received));
  });
}
