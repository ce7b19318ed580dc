import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import ipaddr from "ipaddr.js";

const HOUR_MS = 3_600_000;

/** At this many callers at once the longest-known ones are forgotten; about 200 bytes each. */
const MAX_CALLERS = 1_000_000;

/** The answer to a keyless request's request for room in its hour. */
export interface HourlyDecision {
  admitted: boolean;
  /** Requests left in the hour after this one. */
  remaining: number;
  resetUnixSeconds: number;
}

/** The hourly keyless limit (contract, section 8). A refused request consumes nothing. */
export interface HourlyLimit {
  readonly limit: number;
  take(ip: string): HourlyDecision | Promise<HourlyDecision>;
}

/** A caller's hour: opened by its first request. */
export interface HourWindow {
  startMs: number;
  used: number;
}

/** Pure: the window after one more request at `nowMs`, and whether that request is admitted. */
export function takeFromWindow(
  window: HourWindow | undefined,
  nowMs: number,
  limit: number,
): { window: HourWindow; admitted: boolean } {
  const open = window !== undefined && nowMs >= window.startMs && nowMs < window.startMs + HOUR_MS;
  const { startMs, used } = open ? window : { startMs: nowMs, used: 0 };
  const admitted = used < limit;
  return { window: { startMs, used: admitted ? used + 1 : used }, admitted };
}

/**
 * Whom a limit counts: an IPv4 address, or an IPv6 network of `ipv6Prefix` bits.
 * @param ip canonical, so IPv4-mapped addresses are already IPv4.
 */
export function limitSubject(ip: string, ipv6Prefix: number): string {
  if (!ip.includes(":")) return ip;
  const bytes = ipaddr.IPv6.parse(ip).toByteArray();
  return bytes.map((byte, index) => byte & mask(ipv6Prefix - index * 8)).join(".");
}

/** A byte with its first `bits` bits set; none below 0, all above 8. */
function mask(bits: number): number {
  return bits <= 0 ? 0 : bits >= 8 ? 0xff : (0xff << (8 - bits)) & 0xff;
}

/** The limit in this process's memory. Callers are kept as an HMAC under a secret that dies with the process. */
export function memoryHourlyLimit(options: { limit: number; ipv6Prefix: number; clock: Clock }): HourlyLimit {
  const { limit, ipv6Prefix, clock } = options;
  const secret = randomBytes(32);
  // In the order in which windows opened, so that what is over stands in front.
  const windows = new Map<string, HourWindow>();
  return {
    limit,
    take(ip) {
      const nowMs = clock();
      forgetPast(windows, nowMs);
      const caller = createHmac("sha256", secret).update(limitSubject(ip, ipv6Prefix)).digest("base64");
      const before = windows.get(caller);
      const { window, admitted } = takeFromWindow(before, nowMs, limit);
      if (before !== undefined && before.startMs !== window.startMs) windows.delete(caller);
      windows.set(caller, window);
      return {
        admitted,
        remaining: limit - window.used,
        resetUnixSeconds: Math.ceil((window.startMs + HOUR_MS) / 1000),
      };
    },
  };
}

function forgetPast(windows: Map<string, HourWindow>, nowMs: number): void {
  for (const [caller, window] of windows) {
    if (nowMs < window.startMs + HOUR_MS && windows.size < MAX_CALLERS) return;
    windows.delete(caller);
  }
}
