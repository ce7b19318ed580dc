import { expect } from "chai";
import { send } from "../../harness/http.ts";
import { allAttacks, type Strength } from "./catalog.ts";
import { type GoodClient, startGoodClient } from "./good-client/start-good-client.ts";
import { attackBeside } from "./run-attack.ts";
import { type StartedTarget, type StartOptions, startTarget } from "./start-target.ts";

/** Low: on a busy machine, nothing may be refused for lack of CPU. */
const RATES = { perSecond: 40, docsPerSecond: 30 };
const BASELINE_MS = 200;
const ATTACK_MS = 1_500;
/** For attacks that take longer to do harm. */
const LONGER_MS: Readonly<Record<string, number>> = { "never-reading-24": 5_000, "slow-forms": 5_000 };
/** At full strength, in `make test-full`: long enough for what builds up. */
const FULL_ATTACK_MS = 15_000;
const FULL_BASELINE_MS = 5_000;
/** Enough for an attack, its recovery and a target that has to be killed. */
const TIMEOUT_MS = 90_000;

/**
 * Registers the included attacks against one target; a target that an attack has ended is restarted. At full strength, titles show
 * the well-behaved client's 99th percentile before and during the attack, and what the attack counted.
 */
export function attackSuite(
  title: string,
  options: StartOptions,
  isIncluded: (name: string) => boolean,
  strength: Strength = "small",
): void {
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

    for (const { name, about } of allAttacks(strength, ""))
      if (isIncluded(name))
        it(`${name}: ${about}`, async function () {
          const attacked = target && (await isHealthy(target)) ? target : await start();
          const attack = allAttacks(strength, attacked.ringText).find((each) => each.name === name);
          if (!attack) throw new Error(`there is no attack ${name}`);
          const pace =
            strength === "full"
              ? { baselineMs: FULL_BASELINE_MS, attackMs: FULL_ATTACK_MS }
              : { baselineMs: BASELINE_MS, attackMs: LONGER_MS[name] ?? ATTACK_MS };
          const { problems, p99Ms, tally, logLines } = await attackBeside(client, attacked, attack, pace);
          expect(problems).to.deep.equal([]);
          if (strength === "small") return;
          const counts = Object.entries(tally).map(([what, count]) => `${count} × ${what}`);
          const p99 = `p99 ${p99Ms.before.toFixed(1)} → ${p99Ms.during.toFixed(1)} ms`;
          this.runnable().title += `: ${[p99, `${logLines} log lines`, ...counts].join(", ")}`;
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
