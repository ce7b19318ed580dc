import type { Answer, Ask } from "./ask.ts";
import type { SmokeKeys } from "./keys.ts";

/** What the points are asked with. */
export interface Smoke {
  ask: Ask;
  /** The same for another address, which an answer has named. */
  askAt(baseUrl: string): Ask;
  /** Keys to ask with; each throws NotAsked when there is none. */
  keys: SmokeKeys;
  /** Whether the deployment believes our X-Forwarded-For: then we can be any caller. */
  believed: boolean;
  /** Whether this caller's hour without a key may be used up. */
  spendHour: boolean;
  /** The answer without a key: asked for once, since it costs one of the hour. */
  keyless(): Promise<Answer>;
  clock: () => number;
}

/** One point of the contract. */
export interface Point {
  /** Of the contract. */
  section: string;
  says: string;
  /** @throws Error saying what is otherwise; NotAsked why it was not asked. */
  check(smoke: Smoke): Promise<void>;
}

/** @throws Error when what is there is not what should be. */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${what} is ${shown(actual)}, not ${shown(expected)}`);
}

/** @throws Error with the words when the condition does not hold. */
export function holds(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
