import { limitsOf, limitsText } from "@geolookup/shared/domain/plans.ts";
import type { Limits__Output as WireLimits } from "@geolookup/shared/generated/geolookup/auth/v1/Limits.ts";
import type {
  EventView,
  KeyView,
  PlansCheckView,
  PlansView,
  UsageView,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { limitsFromWire } from "@geolookup/shared/runtime/grpc/wire.ts";

/** A key as text, one property per line. */
export function keyText(key: KeyView): string {
  const revoked = key.revokedAt === undefined ? "" : ` since ${key.revokedAt}`;
  return alignColumns([
    ["key id", key.keyId],
    ["kind", key.kind],
    ["plan", key.plan],
    ...(key.limits ? [["limits", textOf(key.limits)]] : []),
    ["label", key.label || "-"],
    ["origins", key.origins.join(", ") || "any"],
    ["key", key.display],
    ...(key.mayForward ? [["can look up visitors", "yes"]] : []),
    ["status", `${key.status}${revoked}`],
    ...(key.revokedReason ? [["reason", key.revokedReason]] : []),
    ["created", key.createdAt],
    ["version", String(key.version)],
  ]);
}

/** A newly issued key. The full key is on the first line. */
export function issuedText(secret: string, key: KeyView): string {
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
  const hasLimits = keys.some(({ limits }) => limits !== undefined);
  return alignColumns([
    ["KEY ID", "KIND", "PLAN", ...(hasLimits ? ["LIMITS"] : []), "STATUS", "CREATED", "KEY", "ORIGINS", "LABEL"],
    ...keys.map((key) => [
      key.keyId,
      key.kind,
      key.plan,
      ...(hasLimits ? [key.limits ? textOf(key.limits) : "-"] : []),
      key.status,
      key.createdAt.slice(0, 10),
      key.display,
      summarizeOrigins(key.origins),
      key.label,
    ]),
  ]);
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
      ...[name, fields, String(monthlyRequests), limitsText(limitsOf(limits)) || "-"],
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

/** A key's usage in a month as text, by day. */
export function usageTable(usage: UsageView): string {
  return alignColumns([
    ["DAY", "REQUESTS"],
    ...usage.days.map(({ day, requests }) => [day, String(requests)]),
    [usage.month, String(usage.total)],
  ]);
}

function textOf(limits: WireLimits): string {
  return limitsText(limitsFromWire(limits));
}

function summarizeOrigins(origins: readonly string[]): string {
  if (origins.length === 0) return "any";
  return origins.length === 1 ? (origins[0] ?? "") : `${origins[0]} and ${origins.length - 1} more`;
}

/** Aligns cells in columns, two spaces apart. */
function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, [...cell].length);
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - [...cell].length))
      .join("  ")
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join("");
}
