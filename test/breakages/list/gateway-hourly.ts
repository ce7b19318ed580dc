import type { Breakage } from "../breakage.ts";

const SRC = "services/gateway/src/limits/hourly";

/** Hourly limits. */
export const GATEWAY_HOURLY_BREAKAGES: readonly Breakage[] = [
  {
    name: "callers' hours stay in memory while no request comes",
    in: SRC,
    find: "mirror.expire(nowMs());",
    replace: "",
    tests: [`${SRC}/redis-limit.test.ts`],
  },
  {
    name: "standalone keeps callers' hours while no request comes",
    in: SRC,
    find: "setInterval(() => windows.expire(clock()), EXPIRE_INTERVAL_MS)",
    replace: "setInterval(() => {}, EXPIRE_INTERVAL_MS)",
    tests: [`${SRC}/memory-limit.test.ts`],
  },
  {
    name: "callers' hours start over when a request makes room for new callers",
    in: SRC,
    find: "    old = young;\n",
    replace: "",
    tests: [`${SRC}/windows.test.ts`],
  },
  {
    name: "Redis overwrites another gateway's counts of a caller",
    in: SRC,
    find: "own .. text, 'PXAT'",
    replace: "own, 'PXAT'",
    tests: [`${SRC}/redis-store.test.ts`],
  },
  {
    name: "a step of the machine's clock changes hours",
    in: SRC,
    find: "Math.round(performance.now() + clockOffsetMs)",
    replace: "clock()",
    tests: [`${SRC}/redis-limit-faults.test.ts`],
  },
  {
    name: "a caller's text that isn't an hour makes Redis's script fail",
    in: SRC,
    find: "if not expires or ends < expires then",
    replace: "if not known or ends < expires then",
    tests: [`${SRC}/redis-store.test.ts`],
  },
  {
    name: "a gateway stays with a Redis that has become a replica",
    in: SRC,
    find: "if (breaker.isOpen()) redis.renew(isReplica(lastFailure) ? REPLICA_MS : USELESS_MS);\n",
    replace: "",
    tests: [`${SRC}/redis-refusals.test.ts`],
  },
  {
    name: "a busy gateway decides alone although Redis responds",
    in: SRC,
    find: "if (response && !response.isLate) return response;",
    replace: "if (response) return response;",
    tests: [`${SRC}/redis-limit-faults.test.ts`],
  },
  {
    name: "a gateway that was busy doesn't wait for Redis",
    in: SRC,
    find: "if (tick < TICKS) start(tick + 1);",
    replace: "if (tick < 1) start(tick + 1);",
    tests: [`${SRC}/redis-failures.test.ts`],
  },
  {
    name: "a response is taken for another call's",
    in: SRC,
    find: "response[0] === id",
    replace: "response.length > 0",
    tests: [`${SRC}/redis-refusals.test.ts`],
  },
  {
    name: "a script from a connection that was given up counts again",
    in: SRC,
    find: "now > tonumber(ARGV[3])",
    replace: "false",
    tests: [`${SRC}/redis-store.test.ts`],
  },
  {
    name: "a new password is read at the next start only",
    in: SRC,
    find: "access = currentAccess(access);",
    replace: "",
    tests: [`${SRC}/redis-refusals.test.ts`],
  },
  {
    name: "Redis in cluster mode can't be used",
    in: SRC,
    find: 'if (code === "CROSSSLOT" && usedSlot === "") slot = ONE_SLOT;\n      else if',
    replace: "if",
    tests: [`${SRC}/redis-refusals.test.ts`],
  },
];
