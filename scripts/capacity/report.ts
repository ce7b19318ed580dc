import { FIGURES } from "./figures.ts";
import type { Load } from "./load.ts";
import type { CapacityPlan } from "./model/capacity.ts";
import { usedShare } from "./model/limits.ts";

/** The text shows only the limits with the largest shares; JSON has all. */
const SHOWN_LIMITS = 8;

/** The plan as JSON, with the figures it is computed from. */
export function planJson(load: Load, plan: CapacityPlan): string {
  const gatewaysPerKey = Number.isFinite(load.gatewaysPerKey) ? load.gatewaysPerKey : "all";
  return `${JSON.stringify({ load: { ...load, gatewaysPerKey }, ...plan, figures: FIGURES }, null, 2)}\n`;
}

/** The plan as text. */
export function planText(
  load: Load,
  { region, memory, disk, exactness, connections, limits, cores }: CapacityPlan,
): string {
  const { gateways, gateway, geo, auth, usage, redis, nats, requests } = region;
  const { regions } = load;
  const service = (name: string, processes: number, micros: number, bytes: number) =>
    row(name, whole(processes), coresOf(micros), `${Math.round((micros / processes) * 1e-4)}%`, size(bytes));
  const limitRows = limits
    .slice(0, SHOWN_LIMITS)
    .map(
      ({ limit, requestsPerSecond }) =>
        `  ${(requestsPerSecond === null ? "never" : rate(requestsPerSecond)).padStart(12)}  ${limit.name}${limit.isSoft ? " (soft)" : ""}, ${percent(usedShare(limit))} at this load`,
    );
  const first = limits.find(({ limit }) => !limit.isSoft && usedShare(limit) >= 1);
  return [
    `${rate(load.requestsPerSecond)} requests/s${regions > 1 ? ` in ${regions} regions` : ""}: ${rate(requests.keyed * regions)} with a key, ${rate(requests.keyless * regions)} without, ${rate(requests.unknown * regions)} refused; ${whole(load.keys)} keys`,
    "",
    regions > 1 ? "Each region:" : "Processes:",
    row("", "processes", "cores used", "each", "memory each"),
    service("gateway", gateways, gateways * gateway.totalMicros, memory.gateway),
    service("geo", geo.nodes, geo.totalMicros, memory.geo),
    service("auth", auth.nodes, auth.totalMicros, memory.auth),
    service("usage", usage.nodes, usage.totalMicros, memory.usage),
    service("redis", 1, redis.totalMicros, memory.redis),
    row("nats", "1 or 3", coresOf(nats.totalMicros), "", ""),
    ...(regions > 1 ? [`  All regions: ${whole(cores * regions)} cores used`] : []),
    "",
    regions > 1 ? "Traffic, each region:" : "Traffic:",
    `  NATS                 ${rate(nats.inMessages)} messages/s in, ${rate(nats.outMessages)} out; ${size(nats.inBytes)}/s in, ${size(nats.outBytes)}/s out`,
    `  NATS, stored         ${rate(nats.storedMessages)} messages/s of ${size(gateway.publishing.bytesPerMessage)}`,
    `  Redis                ${rate(redis.commands)} commands/s`,
    `  geo                  ${rate(geo.messages)} messages/s, ${((requests.keyed + requests.keyless) / Math.max(1, geo.messages)).toFixed(1)} lookups each`,
    `  auth                 ${rate(auth.checks)} keys/s to check, in ${rate(auth.calls)} calls/s`,
    ...(gateway.missShare > 0
      ? [
          `                       ${percent(gateway.missShare)} of requests with a key, because gateways cache 200,000 keys: hash keys in the balancer`,
        ]
      : []),
    `  Gateway, each        ${rate((requests.keyed + requests.keyless + requests.unknown) / gateways)} requests/s; ${percent(gateway.followMicros / 1e6)} of a core to follow the other gateways`,
    "",
    regions > 1 ? "Connections, each region:" : "Connections:",
    `  Clients              ${whole(connections.clients)}, ${whole(connections.clientsPerGateway)} per gateway`,
    `  Gateways × geo       ${whole(connections.gatewayGeo)}, ${whole(gateways)} per geo node`,
    `  Gateways × auth      ${whole(connections.gatewayAuth)}, ${whole(gateways)} per auth node`,
    "",
    "Disk:",
    `  Key log              ${size(disk.keyLogBytes)}, and ${size(disk.keyLogBytesPerDay)} per day`,
    `  Usage log            ${size(disk.usageLogBytes)} for 430 days; ${size(disk.usageWritesPerDay)} written per day`,
    `  Journal, per gateway ${size(disk.journalBytes)} at most; ${size(disk.journalWritesPerDay)} written per day`,
    "",
    "Limits:",
    `  Monthly quota        ${quotaText(exactness)}`,
    `  Hourly limit         ${exactness.hourlyWithRedis === 1 ? "exact" : `at most ${exactness.hourlyWithRedis} times the limit, once in each region`}; at most ${whole(exactness.hourlyWithoutRedis)} times without Redis`,
    `  Revocation           within ${exactness.revocationSeconds} s; within ${exactness.revocationCutOffSeconds} s on a gateway cut off from NATS`,
    "",
    "Reached first, as this load grows (requests/s):",
    ...limitRows,
    "",
    first
      ? `Today's design doesn't carry this load. It breaks first at ${rate(first.requestsPerSecond ?? 0)} requests/s. ${first.limit.name}.\nChange: ${first.limit.change}`
      : "Today's design carries this load.",
    "",
  ].join("\n");
}

function quotaText({ quotaSeconds, quotaRequests }: CapacityPlan["exactness"]): string {
  if (quotaSeconds === null || quotaRequests === null) return "not bounded: usage can't keep up with the counts";
  if (quotaSeconds === 0) return "exact";
  return `exceeded by at most ${quotaSeconds.toFixed(1)} s of a key's requests at other gateways: ${rate(quotaRequests)} for a key with an equal share`;
}

function row(...cells: string[]): string {
  return `  ${cells.map((cell, index) => (index === 0 ? cell.padEnd(9) : cell.padStart(13))).join("")}`.trimEnd();
}

function coresOf(micros: number): string {
  return (micros / 1e6).toFixed(1);
}

function percent(share: number): string {
  return share < 0.1 ? `${(share * 100).toFixed(1)}%` : `${Math.round(share * 100).toLocaleString("en-US")}%`;
}

function whole(value: number): string {
  return Math.ceil(value).toLocaleString("en-US");
}

/** The model is less precise than three digits. */
function rate(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US");
}

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

function size(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${rate(bytes / 1_000 ** unit)} ${UNITS[unit]}`;
}
