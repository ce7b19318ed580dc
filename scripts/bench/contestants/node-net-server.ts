import { createServer } from "node:net";
import { announce } from "./announce.ts";
import { FIXED_BODY } from "./fixed-body.ts";

/** What `node:http` would send, but always with the same date. */
const RESPONSE = [
  "HTTP/1.1 200 OK",
  "Content-Type: application/json; charset=utf-8",
  `Content-Length: ${Buffer.byteLength(FIXED_BODY)}`,
  `Date: ${new Date().toUTCString()}`,
  "Connection: keep-alive",
  "Keep-Alive: timeout=5",
  "",
  FIXED_BODY,
].join("\r\n");

/** The cost of Node's sockets: the same response to whatever a connection sends, without parsing it. */
announce(
  createServer((socket) => {
    socket.setNoDelay(true);
    socket.on("data", () => void socket.write(RESPONSE, "latin1"));
    socket.on("error", () => socket.destroy());
  }),
);
