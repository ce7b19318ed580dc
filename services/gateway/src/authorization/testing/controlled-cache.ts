import { hash } from "node:crypto";
import type { Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { KeyFollower } from "@geolookup/shared/domain/key-event.ts";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { openAuthorizationCache } from "../authorization-cache.ts";
import type { PositionedAuthorization } from "../positioned-authorizer.ts";

const REQUEST_TIMEOUT_MS = 2_000;
export const EPOCH = "epoch";
export const CHECK: KeyCheck = { key: keyOf(1), origin: null, referer: null };

/** A key that could have been issued. */
export function keyOf(number: number): string {
  return `geo_pk_abcd${String(number).padStart(22, "0")}_${"1".repeat(22)}`;
}

export function grantOn(plan: string, origins: string[] = []): Grant {
  return { keyId: "key", kind: "publishable", plan, fields: "paid", monthlyRequests: 1, origins, display: "geo_pk_…" };
}

export const granted = (plan: string, sequence: number): PositionedAuthorization => ({
  authorization: { outcome: "granted", grant: grantOn(plan) },
  position: { epoch: EPOCH, sequence },
});
export const refused = (outcome: "bad_signature" | "unknown_key", sequence: number): PositionedAuthorization => ({
  authorization: { outcome },
  position: { epoch: EPOCH, sequence },
});

/** A cache with an auth and a key event feed that the test controls. */
export function openControlledCache() {
  const requests: { respond(authorization: PositionedAuthorization): void; fail(error: Error): void }[] = [];
  const registry = new Registry();
  const clock = { nowMs: 0 };
  const auth = { rules: "", highest: null, isReached: true };
  let checks = 0;
  let follower: KeyFollower | undefined;
  const cache = openAuthorizationCache({
    authorizer: {
      authorizeWithPosition: () =>
        new Promise((resolve, reject) => {
          requests.push({ respond: resolve, fail: reject });
        }),
      checkNodes: async () => {
        checks += 1;
        return { ...auth };
      },
    },
    checkIntervalMs: 1,
    feed: {
      follow: (given) => {
        follower = given;
        return {
          async [Symbol.asyncDispose]() {
            follower = undefined;
          },
        };
      },
    },
    clock: () => clock.nowMs,
    log: pino({ level: "silent" }),
    registry,
  });
  if (!follower) throw new Error("the cache doesn't follow its feed");
  const feed = follower;
  feed.reset(EPOCH, 0);
  feed.live(true);
  return {
    cache,
    requests,
    feed,
    clock,
    /** Changes what auth nodes say about themselves. Resolves once the cache knows. */
    changeAuth: async (change: Partial<Pick<typeof auth, "rules" | "isReached">>) => {
      Object.assign(auth, change);
      const until = checks + 2;
      while (checks < until) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    isFollowing: () => follower !== undefined,
    planChanged: (sequence: number) =>
      feed.event(
        { type: "KeyPlanChanged", keyId: "key", id: "", version: 2, at: "", by: "", data: { plan: "paid" } },
        { epoch: EPOCH, sequence },
      ),
    issued: (sequence: number) =>
      feed.event(
        {
          ...{ type: "KeyIssued", keyId: "key", id: "", version: 1, at: "", by: "" },
          data: {
            ...{ kind: "publishable", plan: "free", label: "", origins: [], display: "" },
            keySha256: hash("sha256", CHECK.key, "hex"),
          },
        },
        { epoch: EPOCH, sequence },
      ),
    revoked: (sequence: number) =>
      feed.event(
        { type: "KeyRevoked", keyId: "key", id: "", version: 2, at: "", by: "", data: { reason: "" } },
        { epoch: EPOCH, sequence },
      ),
    /** Responds to requests as they come. Resolves with the promise. */
    responding: async <Result>(promise: Promise<Result> | Result, responses: PositionedAuthorization[]) => {
      for (const [index, response] of responses.entries()) {
        await waitFor(`request ${index + 1}`, () => requests.length > index, REQUEST_TIMEOUT_MS);
        requests[index]?.respond(response);
      }
      return promise;
    },
    metric: async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value,
  };
}
