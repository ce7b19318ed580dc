import { existsSync, readFileSync } from "node:fs";
import { readMetadata } from "@geolookup/geo/mmdb/metadata.ts";
import { dbipNetwork, dbipPlace } from "@geolookup/geo/schema/dbip.ts";
import { maxmindNetwork, maxmindPlace } from "@geolookup/geo/schema/maxmind.ts";
import { freePort } from "../../../scripts/cluster/free-port.ts";
import { type Site, startProcess } from "./contestant.ts";

/** What echoip runs with. */
export interface EchoipChoice {
  /** Path of its binary. */
  program: string;
  /** Database with places. */
  places: string;
  /** Database with networks. */
  networks: string;
}

/**
 * Chooses the databases for echoip, which reads only MaxMind's layout.
 * @param program path of its binary; null if there is none.
 * @param databases paths, in priority order.
 * @returns why this contestant can't run, if it can't.
 */
export function chooseEchoip(program: string | null, databases: readonly string[]): EchoipChoice | { missing: string } {
  if (program === null) return { missing: "set ECHOIP to the path of its binary (https://github.com/mpolden/echoip)" };
  if (!existsSync(program)) return { missing: `ECHOIP=${program} doesn't exist` };
  const typed = databases.map((path) => ({ path, type: readMetadata(readFileSync(path)).databaseType }));
  const find = (layouts: readonly RegExp[]) =>
    typed.find(({ type }) => layouts.some((layout) => layout.test(type)))?.path;
  const places = find([maxmindPlace.databaseType, dbipPlace.databaseType]);
  const networks = find([maxmindNetwork.databaseType, dbipNetwork.databaseType]);
  if (places !== undefined && networks !== undefined) return { program, places, networks };
  return {
    missing: `it reads only databases in MaxMind's layout, and these are ${typed.map(({ type }) => type).join(", ")}; set GEO_DATABASES to a City and an ASN file of MaxMind or DB-IP`,
  };
}

/** echoip with the same databases: places and networks as JSON, without a cache of responses. */
export async function startEchoip({ program, places, networks }: EchoipChoice): Promise<Site> {
  const port = await freePort();
  const args = ["-l", `127.0.0.1:${port}`, "-H", "X-Forwarded-For", "-f", places, "-c", places, "-a", networks];
  return startProcess({ name: "echoip", port, path: "/json" }, program, args);
}
