import type { Breakage } from "../breakage.ts";

const SRC = "services/gateway/src";

/** Limits, capacity and counts. */
export const GATEWAY_LIMIT_BREAKAGES: readonly Breakage[] = [
  {
    name: "busy connections lock out new ones",
    in: SRC,
    find: "if (mayWait) watchTurn();",
    replace: "",
    tests: ["services/gateway/src/connections/new-connections.test.ts"],
  },
  {
    name: "hourly limit admits one request too many",
    in: SRC,
    find: "usedBefore < limit",
    replace: "usedBefore <= limit",
    tests: ["services/**/windows.test.ts"],
  },
  {
    name: "requests beyond capacity don't get the slots of others that end",
    in: SRC,
    find: "if (next) start(next);",
    replace: "",
    tests: ["services/gateway/src/connections/waiting-requests.test.ts"],
  },
  {
    name: "clients that have gone keep others from waiting for a slot",
    in: SRC,
    find: "if (exchange.held !== null) return overload.end(exchange);",
    replace: "if (exchange.held !== null) return;",
    tests: ["services/gateway/src/connections/waiting-requests.test.ts"],
  },
  {
    name: "a preflight that ends sends a waiting request back to the end of the queue",
    in: SRC,
    find: "working < settings.maxInFlight ? overload.next() : undefined",
    replace: "overload.next()",
    tests: ["services/gateway/src/connections/waiting-requests.test.ts"],
  },
  {
    name: "a request that waited for a slot stays in memory",
    in: SRC,
    find: "if (waiting + excess === 0) previous = noArrivals();\n    else schedule();",
    replace: "if (waiting + excess > 0) schedule();",
    tests: ["services/gateway/src/connections/overload.test.ts"],
  },
  {
    name: "hourly window is a second short",
    in: SRC,
    find: "endMs: nowMs + HOUR_MS",
    replace: "endMs: nowMs + HOUR_MS - 1000",
    tests: ["services/**/memory-limit.test.ts"],
  },
  {
    name: "IPv6 callers are counted by address instead of network",
    in: "services/shared/src/domain",
    find: "mask(prefixLength - index * 32)",
    replace: "mask(128 - index * 32)",
    tests: ["services/shared/src/domain/limit-subject.test.ts"],
  },
  {
    name: "quota off by one",
    in: SRC,
    find: "key.counted - key.reserved - 1",
    replace: "key.counted - key.reserved",
    tests: ["services/gateway/src/**/admission.test.ts"],
  },
  {
    name: "counts aren't written to the journal",
    in: SRC,
    find: "this.file.append(lines);",
    replace: "",
    tests: ["services/gateway/src/**/journal.test.ts"],
  },
  {
    name: "a response leaves before its count is in the journal",
    in: SRC,
    find: "await (reserved.count() ?? responses.join());",
    replace: "void reserved.count();",
    tests: ["services/gateway/src/**/app.test.ts"],
  },
  {
    name: "a crashed instance's counts are published under another instance",
    in: SRC,
    find: "subject: { day, instanceId, shard }, counts: new Map",
    replace: 'subject: { day, instanceId: "0000000000000000", shard }, counts: new Map',
    tests: ["services/gateway/src/**/meter-restart.test.ts"],
  },
  {
    name: "counts that failed to publish are forgotten",
    in: SRC,
    find: "ledger.giveBack(shardDay);",
    replace: "ledger.acknowledge(shardDay);",
    tests: ["services/gateway/src/**/flusher.test.ts"],
  },
  {
    name: "a kept grant leads to the counts of an earlier month",
    in: SRC,
    find: "if (key?.book !== book) {",
    replace: "if (key === undefined) {",
    tests: ["services/gateway/src/**/meter.test.ts"],
  },
  {
    name: "unsent output of a connection is unbounded",
    in: SRC,
    find: "socket.writableLength <= MAX_UNSENT_BYTES",
    replace: "socket.writableLength >= 0",
    tests: ["services/gateway/src/**/slow-connections.test.ts"],
  },
  {
    name: "forms are read without limit",
    in: SRC,
    find: 'if (bytes > maxBytes) return stop("too_large");',
    replace: "",
    tests: ["services/gateway/src/**/form-reader.test.ts"],
  },
];
