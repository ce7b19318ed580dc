import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";

/** The pins that come with this version of geolookup. */
export const PINS_FILE = join(import.meta.dirname, "../../../pinned-packages.json");

const PINS = z.record(
  z.string(),
  z.strictObject({
    version: z.string().regex(/^\d+\.\d+\.\d+$/, "must be an exact version"),
    integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/, "must be a SHA-512 as npm writes it"),
  }),
);

/** The version of each npm package to use, and the SHA-512 of its tarball. */
export type Pins = z.infer<typeof PINS>;
export type Pin = Pins[string];

/** @throws StartError when the file can't be read or isn't a list of pins. */
export function readPins(file: string): Pins {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(`cannot read the pinned packages: ${(error as Error).message}`);
  }
  try {
    return PINS.parse(JSON.parse(text));
  } catch (error) {
    const { issues: [issue] = [] } = error as Partial<z.ZodError>;
    const problem = issue ? `${issue.path.join(".")}: ${issue.message}` : (error as Error).message;
    throw new StartError(`${file} isn't a valid list of pinned packages: ${problem}`);
  }
}

/**
 * The pin of a package.
 * @throws StartError when it has none.
 */
export function pinOf(pins: Pins, name: string): Pin {
  const pin = pins[name];
  if (!pin) throw new StartError(`${name} isn't pinned to a version; add it to pinned-packages.json`);
  return pin;
}
