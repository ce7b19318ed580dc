import { hash } from "node:crypto";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { z } from "zod";
import { type Prefix, parsePrefix } from "./prefix.ts";

/** A geofeed that is downloaded. */
export interface FeedSource {
  url: string;
  /** The same without a query, which can be a secret. */
  shownUrl: string;
  /** The host, and a part of the URL's SHA-256. */
  name: string;
  /** The prefixes that it may correct, and more specific ones (RFC 9632, section 3). */
  allowed: readonly Prefix[];
}

const MAX_FEEDS = 50;

/**
 * Parses GEOFEED_URLS. Only the refresh process downloads, but every process that uses the setting validates it at startup, so that
 * an operator sees the error. Errors don't include the value, which can contain secrets.
 */
export const feedSources = () =>
  z
    .string()
    .default("")
    .transform((text, context): FeedSource[] => {
      const refuse = (message: string) => context.addIssue({ code: "custom", message, params: { hidesValue: true } });
      const sources = text
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "")
        .map(sourceOf);
      for (const source of sources) if (typeof source === "string") refuse(source);
      const valid = sources.filter((source) => typeof source !== "string");
      if (new Set(valid.map(({ url }) => url)).size < valid.length)
        refuse("must not name a URL twice: give it all its prefixes at once");
      if (sources.length > MAX_FEEDS) refuse(`must not name more than ${MAX_FEEDS} URLs`);
      return valid;
    });

/** The geofeeds to download. @throws StartError */
export function readFeedSources(environment: Readonly<Record<string, string | undefined>>): FeedSource[] {
  return readEnvironment(z.object({ GEOFEED_URLS: feedSources() }), environment).GEOFEED_URLS;
}

/** Parses a URL and the prefixes that it may correct, separated by blanks. @returns the problem if they are invalid. */
function sourceOf(text: string): FeedSource | string {
  const [address = "", ...prefixes] = text.split(/\s+/);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.protocol !== "https:" || url.username !== "" || url.password !== "")
    return "must be https:// URLs without credentials, separated by commas, each followed by its prefixes";
  const shownUrl = `${url.origin}${url.pathname}`;
  if (prefixes.length === 0)
    return `must say which prefixes ${shownUrl} may correct, after the URL and separated by blanks; 0.0.0.0/0 ::/0 for all`;
  const allowed: Prefix[] = [];
  for (const prefix of prefixes) {
    const parsed = parsePrefix(prefix);
    if (typeof parsed === "string") return `has an invalid prefix after ${shownUrl}: ${parsed}`;
    allowed.push(parsed);
  }
  return { url: url.href, shownUrl, name: `${url.hostname}-${hash("sha256", url.href).slice(0, 8)}`, allowed };
}
