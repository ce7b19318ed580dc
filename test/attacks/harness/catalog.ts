import { HOSTILE_DATABASES } from "@geolookup/geo/testing/hostile-databases.ts";
import type { Attack } from "./attacks/attack.ts";
import { badKeys } from "./attacks/bad-keys.ts";
import { badRequests } from "./attacks/bad-requests.ts";
import { brokenFollowers } from "./attacks/broken-followers.ts";
import { honestOverload, hugeHeaders, manyPreflights } from "./attacks/cheap-requests.ts";
import { consoleTokens } from "./attacks/console-tokens.ts";
import { grpcBatches } from "./attacks/grpc-batches.ts";
import { grpcStreams } from "./attacks/grpc-streams.ts";
import { hostileDatabases } from "./attacks/hostile-databases.ts";
import { idleConnections } from "./attacks/idle-connections.ts";
import { neverReading, pipelinedFlood } from "./attacks/never-reading.ts";
import { slowOpsPort } from "./attacks/ops-port.ts";
import { slowForms } from "./attacks/slow-forms.ts";
import { slowRequests } from "./attacks/slow-requests.ts";

/** How strong each attack is: in `make test-full`, and in `make test` on a shared machine. */
const STRENGTHS = {
  full: {
    neverReading: [
      { connections: 24, perSecond: 1_200 },
      { connections: 1_000, perSecond: 4_000 },
    ],
    pipelinedFlood: { connections: 1_000, perSecond: 100_000 },
    slowForms: { forms: 500, pages: 5_000 },
    brokenFollowers: { connections: 100_000, perSecond: 2_000 },
    consoleTokens: { perSecond: 50 },
    badRequests: { perSecond: 2_000 },
    slowRequests: { connections: 1_000 },
    idle: { connections: 3_000 },
    preflights: { perSecond: 5_000 },
    hugeHeaders: { perSecond: 500 },
    overload: { connections: 4_096, perSecond: 20_000 },
    opsPort: { connections: 1_000 },
    grpcBatches: { perSecond: 50 },
    grpcStreams: { connections: 1_000, streams: 50 },
    hostileDatabases: Object.keys(HOSTILE_DATABASES),
  },
  small: {
    neverReading: [{ connections: 24, perSecond: 1_800 }],
    pipelinedFlood: { connections: 500, perSecond: 50_000 },
    slowForms: { forms: 500, pages: 3_000 },
    brokenFollowers: { connections: 500, perSecond: 400 },
    consoleTokens: { perSecond: 50 },
    badRequests: { perSecond: 1_000 },
    slowRequests: { connections: 300 },
    idle: { connections: 1_000 },
    preflights: { perSecond: 500 },
    hugeHeaders: { perSecond: 100 },
    overload: { connections: 2_500, perSecond: 8_000 },
    opsPort: { connections: 300 },
    grpcBatches: { perSecond: 20 },
    grpcStreams: { connections: 200, streams: 20 },
    hostileDatabases: ["billion laughs in a record", "billion laughs in the metadata"],
  },
} as const;

export type Strength = keyof typeof STRENGTHS;

/**
 * Every attack, in order of execution.
 * @param ringText the target's signing keys, to create keys with valid signatures.
 */
export function allAttacks(strength: Strength, ringText: string): Attack[] {
  const strong = STRENGTHS[strength];
  return [
    ...strong.neverReading.map(neverReading),
    pipelinedFlood(strong.pipelinedFlood),
    slowForms(strong.slowForms),
    brokenFollowers(strong.brokenFollowers),
    consoleTokens(strong.consoleTokens),
    badRequests(strong.badRequests),
    badKeys(strong.badRequests),
    badKeys({ ...strong.badRequests, ringText }),
    slowRequests("slow-headers", strong.slowRequests),
    slowRequests("slow-bodies", strong.slowRequests),
    idleConnections(strong.idle),
    manyPreflights(strong.preflights),
    hugeHeaders(strong.hugeHeaders),
    honestOverload(strong.overload),
    slowOpsPort(strong.opsPort),
    grpcBatches(strong.grpcBatches),
    grpcStreams(strong.grpcStreams),
    hostileDatabases(chosen(strong.hostileDatabases)),
  ];
}

function chosen(names: readonly string[]): typeof HOSTILE_DATABASES {
  return Object.fromEntries(Object.entries(HOSTILE_DATABASES).filter(([name]) => names.includes(name)));
}
