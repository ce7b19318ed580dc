import { setTimeout as delay } from "node:timers/promises";
import { applyOf, importOf } from "../harness/interrupted-commands.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const KILLS = 20;
const COUNT = 500;
/** About as long as such a command takes. */
const SPREAD_MS = 1_500;

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
});
