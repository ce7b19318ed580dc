import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { freshIpv4 } from "../../harness/addresses.ts";
import { startStandalone } from "../../harness/standalone.ts";
import type { FuzzSubject } from "../fuzz.ts";
import { ADDRESS, httpInputs, KEY } from "./http-inputs.ts";
import { checkResponses, readResponses } from "./http-responses.ts";

const CLOSE_TIMEOUT_MS = 20_000;
const LAST_OUTPUT_CHARACTERS = 1_500;
/** Counts are published once a second. */
const COUNTED_TIMEOUT_MS = 20_000;
const COUNTED_INTERVAL_MS = 200;

/**
 * For any input on the public port, each request gets at most one response, every response is one that the interface describes, the
 * process keeps running, and the key's count equals its responses.
 */
export async function openHttp(corpus: readonly Uint8Array[]): Promise<FuzzSubject> {
  let service = await startService();
  let before = "";
  /** @throws Error if the service has ended, after starting another one for the next input. */
  const mustLive = async (sent: string) => {
    if (await listens(service.port)) return;
    const lastOutput = service.standalone.output().slice(-LAST_OUTPUT_CHARACTERS);
    service = await startService();
    throw new Error(`the service ended on ${JSON.stringify(sent)}; its last output: ${lastOutput}`);
  };
  return {
    inputs: httpInputs(corpus),
    async check(input) {
      const text = Buffer.from(input).toString("latin1");
      const sent = text.replaceAll(KEY, service.key).replaceAll(ADDRESS, freshIpv4);
      // The previous input may have ended it after its response.
      const received = await exchange(service.port, sent).catch(async (error) => {
        await mustLive(before);
        throw error;
      });
      before = text;
      const responses = readResponses(received);
      if (responses.length === 0) await mustLive(text);
      // Before throwing, because the requests were counted.
      service.keyed200s += responses.filter(({ isKeyed200 }) => isKeyed200).length;
      checkResponses(sent, responses);
    },
    async finish() {
      await mustLive(before);
      const { standalone, keyId, keyed200s } = service;
      const total = async (): Promise<number> => (await standalone.keys("usage", keyId)).total;
      const deadlineMs = performance.now() + COUNTED_TIMEOUT_MS;
      while ((await total()) !== keyed200s && performance.now() < deadlineMs) await delay(COUNTED_INTERVAL_MS);
      const counted = await total();
      await standalone.stop();
      if (counted !== keyed200s) throw new Error(`${keyed200s} complete 200s with a key, but ${counted} were counted`);
    },
  };
}

async function startService() {
  const standalone = await startStandalone({ ACCESS_LOG: "off" });
  const { key, keyId } = await standalone.issueKey({ kind: "secret", plan: "paid" });
  return { standalone, port: Number(new URL(standalone.url).port), key, keyId, keyed200s: 0 };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Sends the text, then closes the sending side. @returns everything received until the server closed, as Latin-1. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.end(text, "latin1"));
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // The server may close a connection with a reset.
      if (error.code === "ECONNREFUSED") reject(error);
    });
    socket.setTimeout(CLOSE_TIMEOUT_MS, () => {
      socket.destroy();
      reject(new Error(`the connection was left open for ${CLOSE_TIMEOUT_MS} ms after ${JSON.stringify(received)}`));
    });
    socket.once("close", () => resolve(received));
  });
}
