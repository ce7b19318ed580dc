import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { prepareCluster } from "../harness/cluster-parts.ts";
import { runHere } from "../harness/command.ts";
import { send } from "../harness/http.ts";
import { applyOf, importOf } from "../harness/interrupted-commands.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const KILLS = 20;
const COUNT = 500;
/** About as long as such a command takes. */
const SPREAD_MS = 1_500;
const RECOVERY_MS = 60_000;

describe("commands about many keys that are killed 20 times", () => {
  for (const [what, start] of [
    ["import", importOf],
    ["apply", applyOf],
  ] as const) {
    it(`${what}: each key is issued once, and is the one that was saved`, async () => {
      await using service = await startStandalone();
      for (let kill = 0; kill < KILLS; kill += 1) {
        const command = start(COUNT, `${what}${kill}`, { DATA_DIR: service.dataDir });
        await command.kill((kill * SPREAD_MS) / KILLS);
        await command.kill(((KILLS - kill) * SPREAD_MS) / KILLS);
        await command.finish();
      }
    });

    it(`${what}, while the service is killed: nothing is lost, and nothing is there twice`, async () => {
      const DATA_DIR = tempFolder();
      for (let kill = 0; kill < KILLS; kill += 1) {
        const service = await startStandalone({ DATA_DIR });
        const command = start(COUNT, `${what}${kill}`, { DATA_DIR });
        const running = command.run();
        await delay((kill * SPREAD_MS) / KILLS);
        await service.kill();
        await running;
        await using _again = await startStandalone({ DATA_DIR });
        await command.finish();
      }
    });
  }

  it("import, apply and changes of customers, while auth and NATS of a cluster are killed", async () => {
    await using stack = new AsyncDisposableStack();
    const cluster = await prepareCluster({ AUTH: "2", GATEWAYS: "1" });
    stack.defer(() => cluster.stopAll());
    await cluster.startAll();
    const nodes = cluster.ofKind("auth").map(({ port }) => `127.0.0.1:${port}`);
    const environment = {
      AUTH_URL: `ipv4:${nodes.join(",")}`,
      USAGE_URL: `127.0.0.1:${cluster.part("usage-1").port}`,
      ADMIN_TOKEN: cluster.adminToken,
    };
    const customers = (...args: string[]) => runHere(["customers", ...args], environment);
    const shown = async (id: string) => JSON.parse((await customers("show", id, "--json")).stdout);
    const lookUp = async (key: string) =>
      (await send(cluster.gatewayUrls[0] ?? "", { path: `/v1/geo?key=${key}` })).status;

    for (let kill = 0; kill < KILLS; kill += 1) {
      const [id, label] = [`customer-${kill}`, `cluster${kill}`];
      const command = (kill % 2 === 0 ? importOf : applyOf)(COUNT, label, environment);
      expect((await customers("add", id, "--plan", "paid")).status).to.equal(0);
      let [isKilled, acknowledged, sent] = [false, 0, 0];
      /** Changes a customer again and again until a part has been killed and one change failed or was made since. */
      const change = async () => {
        for (let isLast = false; !isLast; ) {
          isLast = isKilled;
          sent += 1;
          if ((await customers("set-quota", id, String(sent))).status === 0) acknowledged = sent;
        }
      };
      const running = Promise.all([command.run(), change()]);
      await delay((kill * SPREAD_MS) / KILLS);
      const part = cluster.part(["nats", "auth-1", "auth-2"][kill % 3] ?? "");
      await part.kill();
      isKilled = true;
      await part.start();
      await running;

      const { monthlyRequests = 0 } = await waitFor("the customer", () => shown(id), RECOVERY_MS);
      expect(monthlyRequests, "the last change that was acknowledged, or a later one").to.be.within(acknowledged, sent);
      expect((await customers("set-quota", id, String(sent + 1))).status).to.equal(0);
      expect((await shown(id)).monthlyRequests).to.equal(sent + 1);
      const keys = await command.finish();
      for (const key of [keys.at(0), keys.at(-1)]) expect(await lookUp(key ?? "")).to.equal(200);
      if (kill % 2 === 1) {
        expect((await shown(label)).keys).to.equal(COUNT);
        expect((await customers("disable", label)).status).to.equal(0);
        const isRefused = async () => (await lookUp(keys[0] ?? "")) === 401;
        await waitFor("the customer's keys to be refused", isRefused, RECOVERY_MS);
      }
    }
  });
});
