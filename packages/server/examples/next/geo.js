import { createGeolookup } from "@geolookup/server";
import { createNextGeo } from "@geolookup/server/next";

let created;

/**
 * Created at the first request, because `next build` loads this file without the settings.
 * Next.js must be reachable only through a proxy that appends to X-Forwarded-For, or replaces it.
 */
export function geo() {
  created ??= createNextGeo(createGeolookup({ url: process.env.GEOLOOKUP_URL, key: process.env.GEO_KEY }));
  return created;
}
