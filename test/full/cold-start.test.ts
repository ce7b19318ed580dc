import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { readMetrics } from "../attacks/harness/metrics.ts";
import { type StartedTarget, startTarget } from "../attacks/harness/start-target.ts";
import type { HostileClients } from "../harness/hostile-clients.ts";

const STARTS = 5;
const CONNECTIONS = 1_600;
const REQUEST_INTERVAL_MS = 200;
/**
 * How long a client waits for a response, and how long the attack lasts. In seconds of the gateway's CPU time: on a busy machine, it gets
 * less of it, and everything takes longer.
 */
const TIMEOUT_CPU_SECONDS = 6;
const ATTACK_CPU_SECONDS = 10;
const TEST_TIMEOUT_MS = 300_000;

describe(`a standalone that has just started, under ${CONNECTIONS.toLocaleString("en")} hostile connections`, function () {
  this.timeout(TEST_TIMEOUT_MS);

  for (let start = 1; start <= STARTS; start += 1)
    it(`serves every request on a new connection within the client's timeout, start ${start} of ${STARTS}`, async () => {
      await using target = await startTarget({ way: "standalone", isTls: false, isBehindHaproxy: false });
      const workerData = {
        port: Number(new URL(target.url).port),
        docsHost: target.docsHost,
        connections: CONNECTIONS,
      };
      const hostile = startHostileClients(workerData satisfies HostileClients);
      try {
        const outcomes = await requestDuringAttack(target);
        expect(new Set(outcomes)).to.deep.equal(new Set(["200"]));
      } finally {
        await hostile.terminate();
      }
    });
});

function startHostileClients(workerData: HostileClients): Worker {
  return new Worker(new URL("../harness/hostile-clients.ts", import.meta.url), { workerData });
}

/** Sends requests, each on a new connection, until the attack is over and all have an outcome. */
async function requestDuringAttack(target: StartedTarget): Promise<string[]> {
  const sent: { atCpuSeconds: number; outcome: string | null }[] = [];
  let cpuSeconds = await cpuSecondsOf(target);
  const end = cpuSeconds + ATTACK_CPU_SECONDS;
  const isOver = () => cpuSeconds >= end && sent.every(({ outcome }) => outcome !== null);
  const send = () => {
    const one = { atCpuSeconds: cpuSeconds, outcome: null as string | null };
    sent.push(one);
    void statusOf(`${target.url}/v1/geo?key=${target.key}`).then((outcome) => {
      one.outcome ??= outcome;
    });
  };
  const sending = setInterval(() => cpuSeconds < end && send(), REQUEST_INTERVAL_MS);
  try {
    while (!isOver()) {
      cpuSeconds = await cpuSecondsOf(target);
      for (const one of sent)
        if (cpuSeconds - one.atCpuSeconds > TIMEOUT_CPU_SECONDS) one.outcome ??= "no response in time";
      await delay(REQUEST_INTERVAL_MS);
    }
  } finally {
    clearInterval(sending);
  }
  return sent.map(({ outcome }) => String(outcome));
}

async function cpuSecondsOf({ inside }: StartedTarget): Promise<number> {
  const { cpuSeconds } = await readMetrics(inside.opsUrls);
  return [...cpuSeconds.values()].reduce((sum, seconds) => sum + seconds, 0);
}

/** @returns the status of the response, or the error. */
function statusOf(url: string): Promise<string> {
  return new Promise((resolve) => {
    request(url, { agent: false }, (res) => {
      res.resume();
      resolve(String(res.statusCode));
    })
      .on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });
}
