import type { Generator } from "./load/start-generator.ts";
import { type Measured, measureHalfLoad, measureSaturation, warmUp } from "./measure.ts";
import { measureOverload, notOverloaded, type Overload } from "./overload.ts";
import { residentBytes } from "./processes.ts";
import type { BenchSettings } from "./settings.ts";

/** The contestants that are overloaded. `node-http` shows what thousands of connections cost Node itself. */
const OVERLOADED = ["node-http", "standalone-keyless", "standalone-keyed", "cluster-keyed"];

/**
 * Measures all contestants in turn, and fills in their results.
 * @param say called with each step. If it throws, measuring ends.
 * @returns the effects of overload, and the peaks of memory before it, by contestant.
 */
export async function measureAll(
  measured: readonly Measured[],
  generator: Generator,
  settings: BenchSettings,
  say: (line: string) => void,
): Promise<{ overload: Overload[]; peakBytes: Map<string, number> }> {
  const warm = new Set<number>();
  for (const one of measured) {
    const { name, pids } = one.contestant;
    say(`warming up ${name}`);
    await warmUp(one, generator, settings, !pids.some((pid) => warm.has(pid)));
    for (const pid of pids) warm.add(pid);
  }
  for (let round = 0; round < settings.saturationRounds; round += 1)
    for (const one of inTurn(measured, round)) {
      say(`saturation, round ${round + 1} of ${settings.saturationRounds}: ${one.contestant.name}`);
      await measureSaturation(one, generator, settings.saturationMs);
    }
  for (let round = 0; round < settings.halfLoadRounds; round += 1)
    for (const one of inTurn(measured, round)) {
      say(`half load, round ${round + 1} of ${settings.halfLoadRounds}: ${one.contestant.name}`);
      await measureHalfLoad(one, generator, settings.halfLoadMs);
    }
  const peakBytes = new Map(measured.map(({ contestant: { name, pids } }) => [name, residentBytes(pids).peak]));
  const overload = new Map<Measured, Overload>();
  for (let round = 0; round < settings.overloadRounds; round += 1)
    for (const one of inTurn(measured, round)) {
      const { name } = one.contestant;
      if (!OVERLOADED.includes(name)) continue;
      say(`overload, round ${round + 1} of ${settings.overloadRounds}: ${name}`);
      const results = overload.get(one) ?? notOverloaded(one);
      overload.set(one, results);
      await measureOverload(one, results, generator, settings);
    }
  return { overload: measured.flatMap((one) => overload.get(one) ?? []), peakBytes };
}

/** A B C, then C B A, so that none is always measured right after the same one. */
function inTurn(measured: readonly Measured[], round: number): readonly Measured[] {
  return round % 2 === 0 ? measured : measured.toReversed();
}
