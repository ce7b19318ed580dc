import { expect } from "chai";
import { allAttacks } from "../../scripts/attack/catalog.ts";
import { type GoodClient, startGoodClient } from "../../scripts/attack/good-client/start-good-client.ts";
import { attackBeside } from "../../scripts/attack/run-attack.ts";
import { type StartedTarget, type StartOptions, startTarget } from "../../scripts/attack/start-target.ts";
import { send } from "../harness/http.ts";

/** Low: on a busy machine, nothing may be refused for lack of CPU. */
const RATES = { perSecond: 40, docsPerSecond: 30 };
const BASELINE_MS = 200;
const ATTACK_MS = 1_500;
/** For attacks that take longer to do harm. */
const LONGER_MS: Readonly<Record<string, number>> = { "never-reading-24": 5_000, "slow-forms": 5_000 };
/** Enough for an attack, its recovery and a target that has to be killed. */
const TIMEOUT_MS = 90_000;

/** Registers a small version of each named attack against one target; a target that an attack has ended is restarted. */
export function attackSuite(title: string, options: StartOptions, isIncluded: (name: string) => boolean): void {
  describe(title, function () {
    this.timeout(TIMEOUT_MS);
    let target: StartedTarget | undefined;
    let client: GoodClient;
    let opened = new AsyncDisposableStack();
    const start = async () => {
      await opened.disposeAsync();
      opened = new AsyncDisposableStack();
      target = opened.use(await startTarget(options));
      client = opened.use(await startGoodClient(target, RATES));
      return target;
    };
    after(() => opened.disposeAsync());

    for (const { name, about } of allAttacks("small", ""))
      if (isIncluded(name))
        it(`${name}: ${about}`, async () => {
          const attacked = target && (await isHealthy(target)) ? target : await start();
          const attack = allAttacks("small", attacked.ringText).find((each) => each.name === name);
          if (!attack) throw new Error(`there is no attack ${name}`);
          const pace = { baselineMs: BASELINE_MS, attackMs: LONGER_MS[name] ?? ATTACK_MS };
          const { problems } = await attackBeside(client, attacked, attack, pace);
          expect(problems).to.deep.equal([]);
        });
  });
}

function isHealthy({ inside }: StartedTarget): Promise<boolean> {
  const probes = inside.opsUrls.map((url) => send(url, { path: "/healthz" }));
  return Promise.all(probes).then(
    () => true,
    () => false,
  );
}
