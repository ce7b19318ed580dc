import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Authorization, Authorizer, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { KeyFeed, KeyPosition } from "@geolookup/shared/domain/key-feed.ts";
import { decideOrigin } from "@geolookup/shared/domain/origin.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Registry } from "prom-client";
import { createVerdictMetrics } from "./cache-metrics.ts";
import { createVerdictState, type Known } from "./cache-state.ts";
import type { PositionedAuthorizer } from "./positioned-authorizer.ts";
import { createRefusedKeys } from "./refused-keys.ts";

const CAPACITY = 200_000;
/**
 * The pauses before auth is asked again about a key of which it seems to know too little: it is
 * behind the key log, or a key with a right signature is unknown to it because it was just issued.
 */
const ASK_AGAIN_AFTER_MS = [10, 50];

/** How often auth is asked whether its plans or signing keys have changed. */
const RULES_INTERVAL_MS = 1_000;

/** An outcome that is cached separately, and only for seconds. */
type Refusal = Exclude<Authorization, { outcome: "granted" | "origin_not_allowed" | "revoked_key" }>;
type Answer = { known: Known } | { refusal: Refusal; position: KeyPosition | null; rules: string };

/**
 * A cache of verdicts before auth, by the SHA-256 of the key. It follows the key log, so that a
 * revocation or a change of a key holds as soon as its event is heard, and goes on without auth for
 * the keys it knows. Grants and revocations are kept. Keys that auth refuses as `bad_signature` or `unknown_key` have a
 * separate small cache (refused-keys.ts), since anyone can make any number of them.
 * Concurrent first requests for a key share one question to auth.
 * @param options.clock only differences count: a monotonic clock is best.
 * @param options.capacity keys held at once; about 450 bytes each, so 90 MB when the default of 200,000 is full.
 * @returns an Authorizer that answers at once, without a promise, for a key it knows.
 */
export function openVerdictCache(options: {
  authorizer: PositionedAuthorizer;
  feed: KeyFeed;
  clock: Clock;
  log: Logger;
  registry: Registry;
  capacity?: number;
  /** How often auth is asked for its rules. */
  rulesIntervalMs?: number;
}): Authorizer & { close(): Promise<void> } {
  const { authorizer, feed, clock, log } = options;
  const metrics = createVerdictMetrics(options.registry, {
    size: () => state.size(),
    isLive: () => state.isLive(),
    refusedKeys: () => refusedKeys.size(),
  });
  const state = createVerdictState({ capacity: options.capacity ?? CAPACITY, onEviction: metrics.evicted });
  const refusedKeys = createRefusedKeys();
  const asking = new Map<string, Promise<Answer>>();

  const askOnce = async (keySha256: string, check: KeyCheck): Promise<Answer & { isOld: boolean }> => {
    const { verdict, position, rules } = await authorizer.judge(check);
    switch (verdict.outcome) {
      case "granted":
      case "origin_not_allowed":
        return state.fill(keySha256, verdict.grant, position, clock(), rules);
      case "revoked_key":
        return state.fill(keySha256, "revoked", position, clock());
      default:
        state.forget(keySha256, position);
        return { refusal: verdict, position, rules: rules ?? "", isOld: verdict.outcome === "unknown_key" };
    }
  };
  const askUntilNew = async (keySha256: string, check: KeyCheck): Promise<Answer> => {
    let askedAtMs = clock();
    let answer = await askOnce(keySha256, check);
    for (const pauseMs of ASK_AGAIN_AFTER_MS) {
      if (!answer.isOld) break;
      await delay(pauseMs);
      askedAtMs = clock();
      answer = await askOnce(keySha256, check);
    }
    if ("refusal" in answer) {
      const { refusal, position, rules } = answer;
      const { outcome } = refusal;
      if (outcome === "bad_signature" || outcome === "unknown_key")
        refusedKeys.add(keySha256, { outcome, position, rules, askedAtMs });
    }
    return answer;
  };
  const ask = (keySha256: string, check: KeyCheck): Promise<Answer> => {
    const underWay = asking.get(keySha256);
    if (underWay) return underWay;
    const answer = askUntilNew(keySha256, check).finally(() => asking.delete(keySha256));
    asking.set(keySha256, answer);
    return answer;
  };
  const refresh = async (keySha256: string, check: KeyCheck) => {
    try {
      await ask(keySha256, check);
    } catch (error) {
      log.debug({ err: error }, "a verdict could not be renewed; the old one stays in use");
    }
  };

  const learningRules = repeat(
    options.rulesIntervalMs ?? RULES_INTERVAL_MS,
    async () => {
      try {
        const rules = await authorizer.rules();
        state.rules(rules);
        refusedKeys.rules(rules);
      } catch (error) {
        log.debug({ err: error }, "auth could not be asked for its rules; the last known ones hold");
      }
    },
    log,
  );
  const unfollow = feed.follow({
    event: (event, position) => {
      state.event(event, position);
      refusedKeys.event(event, position);
    },
    reset: (epoch, sequence) => {
      log.info({ epoch, sequence }, "the verdict cache starts empty on this key log");
      state.reset(epoch, sequence);
      refusedKeys.reset(epoch, sequence);
    },
    live: (isLive) => {
      if (isLive === state.isLive()) return;
      state.live(isLive, clock());
      refusedKeys.live(isLive, clock());
      if (isLive) log.info("key changes are heard as they happen");
      else log.warn("key changes are not heard; verdicts now live 25 s");
    },
  });
  return {
    authorize: (check) => {
      const keySha256 = hash("sha256", check.key, "base64url");
      const held = state.read(keySha256, clock());
      if (!held) {
        const outcome = refusedKeys.read(keySha256, clock());
        if (outcome) {
          metrics.refused();
          return { outcome };
        }
        metrics.missed();
        return ask(keySha256, check).then((answer) => verdictOf(answer, check));
      }
      metrics.hit();
      if (held.refresh) void refresh(keySha256, check);
      return verdictOf(held, check);
    },
    close: async () => {
      await learningRules.close();
      await unfollow();
    },
  };
}

/** The origin is decided here, for every request by itself: what is known of a key is the same for all of them. */
function verdictOf(answer: Answer, { origin, referer }: KeyCheck): Authorization {
  if ("refusal" in answer) return answer.refusal;
  const { known } = answer;
  if (known === "revoked") return { outcome: "revoked_key" };
  const { kind, origins } = known;
  const decision = decideOrigin({ kind, origins, origin, referer });
  if (decision.allowed) return { outcome: "granted", grant: known };
  return { outcome: "origin_not_allowed", grant: known, refusedOrigin: decision.refusedOrigin };
}
