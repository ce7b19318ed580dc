import { combineFeeds } from "@geolookup/geo/geofeed/combine-feeds.ts";
import { GeofeedError } from "@geolookup/geo/geofeed/geofeed.ts";
import { readGeofeed } from "@geolookup/geo/geofeed/read-geofeed.ts";
import { parseIpv4, parseIpv6 } from "@geolookup/shared/domain/ip-words.ts";
import type { FuzzSubject } from "../fuzz.ts";
import { mutated } from "../mutations.ts";

const GOOD = `# prefix, country, region, city, postal code
44.0.0.0/12,US,US-WA,Rainhaven,98101
2a0e:1234::/32,DE,DE-BE,"Berlin, Mitte",
51.7.0.0/16,GB,,London,
44.0.7.0/24,ZZ,,,
81.2.69.142,FR,FR-35,"Say ""Rennes""",35000
`;
const TOKENS = [
  "0.0.0.0/0",
  "::/0",
  "::ffff:1.2.3.4",
  "/33",
  "/129",
  ",,,,,",
  '"',
  '""',
  "#",
  "\r\n",
  "US-",
  "\ufeff",
  "255.255.255.255/32",
];
const ADDRESSES = ["44.0.7.1", "81.2.69.142", "0.0.0.0", "255.255.255.255", "51.7.255.255"].map(
  (text) => parseIpv4(text) ?? 0,
);
const IPV6_ADDRESSES = ["2a0e:1234::1", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"].flatMap((text) =>
  [parseIpv6(text) ?? []].filter(isWords),
);

/** A geofeed is refused with a message for the operator, or every address can be looked up in it. */
export function openGeofeed(corpus: readonly Uint8Array[]): FuzzSubject {
  return {
    inputs: mutated([Buffer.from(GOOD), ...corpus], TOKENS),
    async check(input) {
      const lines = Buffer.from(input)
        .toString()
        .split(/\r\n?|[\n\u0085\u2028\u2029]/).length;
      let lastLine = 0;
      try {
        const feed = await readGeofeed(Buffer.from(input), ({ line, text }) => {
          if (line < 1 || line > lines) throw new Error(`a problem names line ${line} of ${lines}: ${text}`);
          lastLine = line;
        });
        const geofeed = await combineFeeds([
          { name: "input", feed },
          { name: "again", feed },
        ]);
        for (const address of [...ADDRESSES, ...IPV6_ADDRESSES]) {
          const [applied = null] = geofeed.matches(address);
          if (applied?.correction.country !== geofeed.find(address)?.country)
            throw new Error("the correction that operators see isn't the one that applies");
        }
      } catch (error) {
        if (!(error instanceof GeofeedError)) throw new Error(`line ${lastLine}: ${error}`, { cause: error });
      }
    },
  };
}

function isWords(words: readonly number[]): words is readonly [number, number, number, number] {
  return words.length === 4;
}
