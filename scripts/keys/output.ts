import { fieldsText, limitsOf, limitsText } from "@geolookup/shared/domain/plans.ts";
import type { Limits__Output as WireLimits } from "@geolookup/shared/generated/geolookup/auth/v1/Limits.ts";
import type {
  EventView,
  KeyView,
  PlansCheckView,
  PlansView,
  QuotaView,
  UsageView,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { limitsFromWire } from "@geolookup/shared/runtime/grpc/wire.ts";
import { alignColumns } from "../command-line.ts";

/** A key as text, one property per line. */
export function keyText(key: KeyView): string {
  const { status, revokedAt: revoked, disabledAt: disabled, expiresAt: expired, endsAt: rotated } = key;
  const since = { active: undefined, revoked, disabled, expired, rotated }[status];
  const optional: [name: string, value: string | undefined][] = [
    ["reason", key.status === "disabled" ? key.disabledReason : key.revokedReason],
    ["expires", key.expiresAt],
    ["ends", key.endsAt],
    ["replaced by", key.rotatedTo],
    ["replaces", key.rotatedFrom],
    ["customer", key.customer],
    ["quota", key.quota && quotaText(key.quota, key.keyId)],
    [`quota from ${key.nextQuota?.from}`, key.nextQuota && quotaText(key.nextQuota, key.keyId)],
    ...Object.entries(key.metadata ?? {}).map(([name, value]): [string, string] => [`metadata ${name}`, value]),
    ["last used", key.lastUsed === null ? "never" : key.lastUsed],
  ];
  return alignColumns([
    ["key id", key.keyId],
    ["kind", key.kind],
    ["plan", key.plan],
    ...(key.limits ? [["limits", textOf(key.limits)]] : []),
    ["label", key.label || "-"],
    ["origins", key.origins.join(", ") || "any"],
    ["key", key.display],
    ...(key.mayForward ? [["can look up visitors", "yes"]] : []),
    ["status", since === undefined ? key.status : `${key.status} since ${since}`],
    ...optional.filter((row): row is [string, string] => Boolean(row[1])),
    ["created", key.createdAt],
    ["version", String(key.version)],
  ]);
}

/** A newly issued key. The full key is on the first line. */
export function newKeyText(secret: string, key: KeyView): string {
  return `${secret}\n\nThis is the key. You won't be able to see it again.\n\n${keyText(key)}`;
}

/** A revoked key. @param wasRevoked whether it already was before the command. */
export function revokedText(key: KeyView, wasRevoked: boolean): string {
  return `${wasRevoked ? "This key was already revoked. Nothing has changed.\n\n" : ""}${keyText(key)}`;
}

/** Keys as text, one per line. @param isFiltered whether there may be others. */
export function keyTable(keys: readonly KeyView[], isFiltered: boolean): string {
  if (keys.length === 0 && isFiltered) return "No key matches.\n";
  if (keys.length === 0) return "There are no keys yet; issue one with `issue`.\n";
  const columns: [name: string, of: (key: KeyView) => string, isNeeded?: boolean][] = [
    ["KEY ID", ({ keyId }) => keyId],
    ["KIND", ({ kind }) => kind],
    ["PLAN", ({ plan }) => plan],
    ["LIMITS", ({ limits }) => (limits ? textOf(limits) : "-"), keys.some(({ limits }) => limits)],
    ["CUSTOMER", ({ customer }) => customer ?? "-", keys.some(({ customer }) => customer)],
    ["STATUS", ({ status }) => status],
    ["CREATED", ({ createdAt }) => createdAt.slice(0, 10)],
    ["ENDS", (key) => endOf(key)?.slice(0, 10) ?? "-", keys.some(endOf)],
    ["LAST USED", ({ lastUsed }) => lastUsed ?? "-", keys.some(({ lastUsed }) => lastUsed !== undefined)],
    ["KEY", ({ display }) => display],
    ["ORIGINS", ({ origins }) => summarizeOrigins(origins)],
    ["LABEL", ({ label }) => label],
  ];
  const shown = columns.filter(([, , isNeeded = true]) => isNeeded);
  return alignColumns([shown.map(([name]) => name), ...keys.map((key) => shown.map(([, of]) => of(key)))]);
}

/** When a key ends by itself. */
function endOf({ expiresAt, endsAt }: KeyView): string | undefined {
  return [expiresAt, endsAt].filter((at) => at !== undefined).sort()[0];
}

/** A quota as text. @param ownId the ID that a quota has which isn't shared with others */
export function quotaText({ id, monthlyRequests }: QuotaView, ownId = id): string {
  return `${monthlyRequests} requests a month${id === ownId ? "" : `, shared with ${id}`}`;
}

/** A key's events as text, oldest first. */
export function historyTable(events: readonly EventView[]): string {
  return alignColumns([
    ["VERSION", "AT", "BY", "EVENT", "DATA"],
    ...events.map((event) => [String(event.version), event.at, event.by, event.type, JSON.stringify(event.data)]),
  ]);
}

/** The current plans as text, and the plans file that is held. */
export function plansText({ plans, hash, version, at, by, held }: PlansView): string {
  const since = version === 0 ? "not recorded yet" : `version ${version}, since ${at}, by ${by}`;
  const table = alignColumns([
    ["PLAN", "FIELDS", "REQUESTS A MONTH", "LIMITS"],
    ...Object.entries(plans).map(([name, { fields, monthlyRequests, ...limits }]) => [
      ...[name, fieldsText(fields), String(monthlyRequests), limitsText(limitsOf(limits)) || "-"],
    ]),
  ]);
  const heldText = held ? `\nThe plans file isn't in force.\n${plansCheckText(held)}` : "";
  return `${table}\nhash ${hash}, ${since}\n${heldText}`;
}

/** What a plans file would change, as text. */
export function plansCheckText({ hash, differences, holds }: PlansCheckView): string {
  const table =
    differences.length === 0
      ? "It changes nothing.\n"
      : alignColumns([
          ["PLAN", "FIELD", "OLD", "NEW", "KEYS"],
          ...differences.map(({ plan, field, old, new: changed, keys }) => [
            ...[plan, field, JSON.stringify(old), JSON.stringify(changed), String(keys)],
          ]),
        ]);
  const listed = holds.map((hold) => `  ${hold}\n`).join("");
  const advice = `Held until you confirm it with \`plans confirm ${hash}\`:\n`;
  return `${table}\nhash ${hash}\n${holds.length === 0 ? "" : `\n${advice}${listed}`}`;
}

/** A key's usage in a month as text, by day, with a column for each error code of refused requests. */
export function usageTable({ month, total, days, refusals }: UsageView): string {
  const columns = [{ code: "REQUESTS", total, days }, ...refusals];
  const names = [...new Set(columns.flatMap((column) => column.days.map(({ day }) => day)))].sort();
  const requestsOn = (name: string) =>
    columns.map((column) => String(column.days.find(({ day }) => day === name)?.requests ?? 0));
  return alignColumns([
    ["DAY", ...columns.map(({ code }) => code)],
    ...names.map((name) => [name, ...requestsOn(name)]),
    [month, ...columns.map((column) => String(column.total))],
  ]);
}

function textOf(limits: WireLimits): string {
  return limitsText(limitsFromWire(limits));
}

function summarizeOrigins(origins: readonly string[]): string {
  if (origins.length === 0) return "any";
  return origins.length === 1 ? (origins[0] ?? "") : `${origins[0]} and ${origins.length - 1} more`;
}
