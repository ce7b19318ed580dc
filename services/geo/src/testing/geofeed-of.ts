import { combineFeeds } from "../geofeed/combine-feeds.ts";
import type { Geofeed, LineProblem } from "../geofeed/geofeed.ts";
import { readGeofeed } from "../geofeed/read-geofeed.ts";

/** The corrections in the text of a geofeed, or of several in order of priority by name. */
export async function geofeedOf(
  text: string | Buffer | Readonly<Record<string, string>>,
  onProblem: (problem: LineProblem) => void = () => {},
): Promise<Geofeed> {
  const texts = typeof text === "string" || Buffer.isBuffer(text) ? { "geofeed.csv": text } : text;
  const feeds = [];
  for (const [name, one] of Object.entries(texts))
    feeds.push({ name, feed: await readGeofeed(Buffer.from(one), onProblem) });
  return combineFeeds(feeds);
}
