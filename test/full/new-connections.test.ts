import { expect } from "chai";
import { type Connection, openConnection } from "../../tools/bench/load/connection.ts";
import { startCluster } from "../harness/cluster.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";
import { waitFor } from "../harness/wait-for.ts";

const TEST_TIMEOUT_MS = 120_000;
const DEADLINE_MS = 60_000;
/** More than Node reads before it polls again. */
const BUSY = 3_500;
const NEW = 500;
/** Until the gateway is as busy as it will be. */
const WARM_UP_RESPONSES = 10 * BUSY;
/** Per busy connection, until the last new one has its first response: 3 to 6. If new ones only got what others leave, 60 to 70. */
const MAX_RESPONSES = 20;

for (const [name, start] of [
  ["standalone", startStandalone],
  ["cluster", () => startCluster({ GATEWAYS: "1", AUTH: "1", GEO: "1" })],
] as const)
  describe(`new connections to a ${name} at full load`, function () {
    this.timeout(TEST_TIMEOUT_MS);
    let deployment: Deployment;
    let opened: DisposableStack;
    before(async () => {
      deployment = await start();
    });
    beforeEach(() => {
      opened = new DisposableStack();
    });
    afterEach(() => opened.dispose());
    after(() => deployment?.stop());

    it("get their first responses while each busy connection gets a few", async () => {
      const { key } = await deployment.issueKey({ plan: "paid" });
      const request = `GET /v1/geo?key=${key} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
      const failures: string[] = [];
      const open = async (count: number, onResponse: (connection: Connection) => void) => {
        const on = { response: onResponse, failure: (_: Connection, reason: string) => failures.push(reason) };
        const port = Number(new URL(deployment.url).port);
        const connections = await Promise.all(Array.from({ length: count }, () => openConnection(port, on)));
        for (const connection of connections) {
          opened.use(connection);
          connection.send(request);
        }
      };
      let busyResponses = 0;
      await open(BUSY, (connection) => {
        busyResponses += 1;
        connection.send(request);
      });
      await waitFor("full load", () => busyResponses >= WARM_UP_RESPONSES, DEADLINE_MS);

      const responsesBefore = busyResponses;
      let firstResponses = 0;
      await open(NEW, () => {
        firstResponses += 1;
      });
      await waitFor("the first responses", () => firstResponses === NEW, DEADLINE_MS);
      expect((busyResponses - responsesBefore) / BUSY).to.be.below(MAX_RESPONSES);
      expect(failures).to.deep.equal([]);
    });
  });
