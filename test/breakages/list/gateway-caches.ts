import type { Breakage } from "../breakage.ts";

const SRC = "services/gateway/src";

/** What a gateway caches of the responses of auth and geo. */
export const GATEWAY_CACHE_BREAKAGES: readonly Breakage[] = [
  {
    name: "a gateway believes an auth node that lacks events that a key is unknown",
    in: "services/gateway/src/authorization",
    find: "return decidedAtMs(position.epoch) <= decidedAtMs(epoch);",
    replace: "return false;",
    tests: ["services/gateway/src/authorization/cache-state.test.ts"],
  },
  {
    name: "auth is called for a malformed key",
    in: `${SRC}/authorization`,
    find: "if (!hasKeyShape(check.key))",
    replace: 'if (check.key === "")',
    tests: ["services/gateway/src/authorization/authorization-cache.test.ts"],
  },
  {
    name: "the length of a record from geo is in characters",
    in: `${SRC}/upstream`,
    find: "memberBytes: Buffer.byteLength(text)",
    replace: "memberBytes: text.length",
    tests: ["services/gateway/src/upstream/geo-client.test.ts"],
  },
  {
    name: "gateways drop the allowlists of keys",
    in: `${SRC}/upstream`,
    find: "wire.origins.length === 0 ? NO_ORIGINS : wire.origins",
    replace: "NO_ORIGINS",
    tests: ["services/gateway/src/upstream/auth-client.test.ts"],
  },
  {
    name: "records are cached by address",
    in: `${SRC}/upstream`,
    find: ">>> (32 - prefixLength))",
    replace: ">>> 0)",
    tests: ["services/gateway/src/upstream/network-cache.test.ts"],
  },
  {
    name: "cached records of a node's old data are used",
    in: `${SRC}/upstream`,
    find: "?.dataRevision !== dataRevision",
    replace: "=== undefined",
    tests: ["services/gateway/src/upstream/network-cache.test.ts"],
  },
  {
    name: "cached records are used while no node responds",
    in: `${SRC}/upstream`,
    find: "if (!isFresh) return undefined;",
    replace: "",
    tests: ["services/gateway/src/upstream/network-cache.test.ts"],
  },
  {
    name: "cached records are used for long after the last response",
    in: `${SRC}/upstream`,
    find: "const leftMs = respondedAtMs + MAX_STALE_MS - nowMs;",
    replace: "const leftMs = MAX_STALE_MS;",
    tests: ["services/gateway/src/upstream/network-cache.test.ts"],
  },
  {
    name: "cached records are used after a failed call",
    in: `${SRC}/upstream`,
    find: "cache.onFailure();",
    replace: "",
    tests: ["services/gateway/src/upstream/geo-client.test.ts"],
  },
  {
    name: "records of parts of networks are used for all of them",
    in: `${SRC}/upstream`,
    find: "cache.add(addresses[at] as string, prefixLength,",
    replace: "cache.add(addresses[at] as string, 24,",
    tests: ["services/gateway/src/upstream/geo-client.test.ts"],
  },
  {
    name: "revocations don't reach the gateway's cache",
    in: SRC,
    find: 'if (type === "KeyRevoked") revoke(keySha256, "event");',
    replace: 'if (type === "KeyRevoked") return;',
    tests: ["services/gateway/src/**/cache-state.test.ts"],
  },
  {
    name: "cached authorizations outlive a lost key event feed",
    in: SRC,
    find: "25_000",
    replace: "250_000",
    tests: ["services/gateway/src/**/cache-state.test.ts"],
  },
  {
    name: "an auth node that is behind others confirms cached authorizations",
    in: SRC,
    find: "confirmedAtMs: Math.max(nowMs - ageMs,",
    replace: "confirmedAtMs: Math.max(nowMs,",
    tests: ["services/gateway/src/**/cache-state.test.ts"],
  },
  {
    name: "a feed that lacks events confirms cached authorizations",
    in: SRC,
    find: "sequence < highest.sequence) return;",
    replace: "sequence < 0) return;",
    tests: ["services/gateway/src/**/cache-state.test.ts"],
  },
  {
    name: "the first response is used, although another auth node knows more",
    in: `${SRC}/upstream`,
    find: "if (!candidates.isBehind(node, response as Response))",
    replace: "if (response !== undefined)",
    tests: [
      "services/gateway/src/upstream/hedge.test.ts",
      "services/gateway/src/upstream/auth-client-requests.test.ts",
    ],
  },
  {
    name: "a clock stands still while the machine is suspended",
    in: "services/shared/src/domain",
    find: "suspendedMs += aheadMs;",
    replace: "suspendedMs += 0;",
    tests: ["services/shared/src/domain/clock.test.ts"],
  },
];
