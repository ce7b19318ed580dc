import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Response } from "undici";
import type { Progress } from "./progress.ts";

/** The maximum size of a response. More is a mistake, or an attempt to fill the disk. */
export const MAX_ARCHIVE_BYTES = 1024 ** 3;

/**
 * @param options.alive called whenever data arrives.
 * @param options.what what is read, for the message if it is too large.
 * @returns the body of a response.
 * @throws StartError if it has more than `maxBytes`.
 */
export async function readBody(
  response: Response,
  { alive, maxBytes, what }: { alive: () => void; maxBytes: number; what: string },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of response.body ?? []) {
    alive();
    received += chunk.length;
    if (received > maxBytes) throw new StartError(`${what} is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Writes the body of a response into a file.
 * @param options.alive called whenever data arrives.
 * @param options.maxBytes the download is aborted if it is larger.
 * @returns the body's hash.
 * @throws StartError if it is too large; Error if it is truncated.
 */
export async function saveBody(
  response: Response,
  file: string,
  options: {
    hash: "sha256" | "sha512";
    encoding: "hex" | "base64";
    alive: () => void;
    progress: Progress;
    maxBytes: number;
  },
): Promise<string> {
  const total = Number(response.headers.get("content-length")) || null;
  const hash = createHash(options.hash);
  let received = 0;
  const refuseTooLong = (bytes: number) => {
    if (bytes > options.maxBytes)
      throw new StartError(
        `the download is longer than ${options.maxBytes} bytes, which is more than any geo data; nothing was changed`,
      );
  };
  refuseTooLong(total ?? 0);
  const handle = await open(file, "w");
  try {
    for await (const chunk of response.body ?? []) {
      options.alive();
      received += chunk.length;
      refuseTooLong(received);
      hash.update(chunk);
      await handle.writeFile(chunk);
      options.progress.show(received, total);
    }
  } finally {
    await handle.close();
    options.progress.end();
  }
  if (total !== null && received < total) throw new Error(`the download ended after ${received} of ${total} bytes`);
  return hash.digest(options.encoding);
}
