import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { type FetchPatience, fetchPersistently, type Resource } from "./fetch-persistently.ts";
import type { Progress } from "./progress.ts";
import { saveBody } from "./save-body.ts";

const MAX_CHECKSUM_BYTES = 1_024;

/** A line of sha256sum. */
export interface Checksum {
  /** In lowercase hexadecimal. */
  sha256: string;
  /** The file's name; undefined if the line has only a hash. */
  name: string | undefined;
}

/**
 * Reads a response in the format of sha256sum: `<hash>  GeoLite2-City_20261120.tar.gz`.
 * @param alive called whenever data arrives.
 * @returns null if it isn't one.
 */
export async function readChecksum(response: Response, alive: () => void): Promise<Checksum | null> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    alive();
    text += Buffer.from(chunk).toString("latin1");
    if (text.length > MAX_CHECKSUM_BYTES) return null;
  }
  const [, sha256, name] = /^([0-9a-f]{64})(?:\s+\*?(\S+))?\s*$/i.exec(text) ?? [];
  return sha256 === undefined ? null : { sha256: sha256.toLowerCase(), name };
}

/**
 * Downloads a file with a known SHA-256.
 * @param path where to write it.
 * @param options.sha256 in lowercase hexadecimal.
 * @param options.different the message for the operator if the SHA-256 differs.
 * @param options.now milliseconds since the Unix epoch.
 * @returns the response's Last-Modified header.
 * @throws StartError
 */
export function downloadVerified(
  resource: Resource,
  path: string,
  options: {
    sha256: string;
    different: string;
    patience: FetchPatience;
    /** Starts to show an attempt. */
    progress: (label: string) => Progress;
    label: string;
    maxBytes: number;
    now: () => number;
  },
): Promise<string | null> {
  const { sha256, different, patience, label, maxBytes, now } = options;
  return fetchPersistently(
    resource,
    patience,
    async (response, alive) => {
      const progress = options.progress(label);
      const hash = await saveBody(response, path, { hash: "sha256", encoding: "hex", alive, progress, maxBytes });
      if (hash !== sha256) throw new StartError(different);
      return response.headers.get("last-modified");
    },
    now,
  );
}
