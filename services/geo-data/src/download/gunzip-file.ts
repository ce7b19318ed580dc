import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

export interface GunzipLimits {
  /** The maximum size of the result. */
  maxBytes: number;
  /** The maximum size of the result, as a multiple of the compressed size. Databases of places compress to a third. */
  maxRatio: number;
}

/** Always allowed, regardless of the ratio: small archives are mostly headers. */
const SMALL_BYTES = 1_000_000;

/**
 * Unpacks a gzip file into another file.
 * @param what names it in errors: "what DB-IP sent as dbip-city-lite-2026-11".
 * @throws StartError if it isn't gzip, is cut off or damaged, or unpacks to more than the limits allow.
 */
export async function gunzipFile(
  source: string,
  target: string,
  what: string,
  { maxBytes, maxRatio }: GunzipLimits,
): Promise<void> {
  const limit = Math.min(maxBytes, Math.max(SMALL_BYTES, (await stat(source)).size * maxRatio));
  let unpacked = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length;
      if (unpacked > limit) done(new StartError(`${what} unpacks to more than ${limit} bytes; nothing was changed`));
      else done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(source), createGunzip(), count, createWriteStream(target));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!/^Z_/.test(code ?? "")) throw error;
    throw new StartError(`${what} isn't a complete gzip file (${message}); nothing was changed; run it again later`);
  }
}
