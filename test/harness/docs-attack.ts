import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { trust } from "./http.ts";

const DRIP_MS = 250;

export interface DocsAttack {
  /** Responses with pages, by status. */
  pageStatuses: Record<string, number>;
  /** Whether every page got a response or its connection ended. */
  pagesAreOver(): boolean;
  stop(): void;
}

/**
 * Sends many slow sign-in forms, a byte at a time, and restarts each when it ends. At the same time, it requests many pages at
 * once, each on its own connection.
 */
export function attackDocs(
  url: string,
  docsHost: string,
  { forms, pages }: { forms: number; pages: number },
): DocsAttack {
  const { hostname, port, protocol } = new URL(url);
  const to = { host: hostname, port: Number(port) };
  const open = () => {
    const socket = protocol === "https:" ? connectTls({ ...to, ...trust(hostname) }) : connectPlain(to);
    sockets.add(socket);
    return socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  };
  const sockets = new Set<Socket>();
  const slow = new Set<Socket>();
  const pageStatuses: Record<string, number> = {};
  let pagesOver = 0;
  let stopped = false;

  const sendSlowForm = () => {
    if (stopped) return;
    const socket = open();
    slow.add(socket);
    socket.write(`POST /console/sign-in HTTP/1.1\r\nHost: ${docsHost}\r\nContent-Length: 5000\r\n\r\n`);
    socket.resume().once("close", () => {
      slow.delete(socket);
      setTimeout(sendSlowForm, DRIP_MS);
    });
  };
  const drip = setInterval(() => {
    for (const socket of slow) socket.write("x");
  }, DRIP_MS);
  for (let count = 0; count < forms; count += 1) sendSlowForm();
  for (let count = 0; count < pages; count += 1) {
    let received = "";
    const socket = open().setEncoding("latin1");
    socket.write(`GET /errors/not_found HTTP/1.1\r\nHost: ${docsHost}\r\nConnection: close\r\n\r\n`);
    socket.on("data", (text) => {
      received ||= String(text).slice(9, 12);
    });
    socket.once("close", () => {
      pagesOver += 1;
      pageStatuses[received] = (pageStatuses[received] ?? 0) + 1;
    });
  }
  return {
    pageStatuses,
    pagesAreOver: () => pagesOver === pages,
    stop() {
      stopped = true;
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}
