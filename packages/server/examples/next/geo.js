import { createGeolookup } from "@geolookup/server";
import { createNextGeo } from "@geolookup/server/next";

/** Next.js must be reachable only through a proxy that appends to X-Forwarded-For, or replaces it. */
export const geo = createNextGeo(createGeolookup({ url: process.env.GEOLOOKUP_URL, key: process.env.GEOLOOKUP_KEY }));
