import type { Breakage } from "../breakage.ts";
import { GATEWAY_BREAKAGES } from "./gateway.ts";
import { GATEWAY_CACHE_BREAKAGES } from "./gateway-caches.ts";
import { GATEWAY_HOURLY_BREAKAGES } from "./gateway-hourly.ts";
import { GATEWAY_HTTP_BREAKAGES } from "./gateway-http.ts";
import { GATEWAY_LIMIT_BREAKAGES } from "./gateway-limits.ts";
import { GEO_BREAKAGES } from "./geo.ts";
import { SCRIPT_BREAKAGES } from "./scripts.ts";
import { SERVICE_BREAKAGES } from "./services.ts";
import { SHARED_BREAKAGES } from "./shared.ts";

export const BREAKAGES: readonly Breakage[] = [
  ...GATEWAY_BREAKAGES,
  ...GATEWAY_CACHE_BREAKAGES,
  ...GATEWAY_HOURLY_BREAKAGES,
  ...GATEWAY_HTTP_BREAKAGES,
  ...GATEWAY_LIMIT_BREAKAGES,
  ...SHARED_BREAKAGES,
  ...GEO_BREAKAGES,
  ...SERVICE_BREAKAGES,
  ...SCRIPT_BREAKAGES,
];
