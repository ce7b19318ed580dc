import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { type FetchPatience, fetchPersistently } from "./fetch-persistently.ts";
import type { Progress } from "./progress.ts";
import type { PublishedPackage } from "./registry.ts";

/**
 * Downloads a package's tarball into a file and checks it against the registry's SHA-512.
 * @throws StartError when it cannot be had or is not what the registry published; an error of the disk as it is.
 */
export async function downloadTarball(
  published: PublishedPackage,
  file: string,
  options: { patience: FetchPatience; progress: Progress },
) {
  await fetchPersistently(published.tarballUrl, options.patience, {}, async (response, alive) => {
    const total = Number(response.headers.get("content-length")) || null;
    const hash = createHash("sha512");
    const handle = await open(file, "w");
    let received = 0;
    try {
      for await (const chunk of response.body ?? []) {
        alive();
        hash.update(chunk);
        await handle.writeFile(chunk);
        received += chunk.length;
        options.progress.show(received, total);
      }
    } finally {
      await handle.close();
      options.progress.end();
    }
    if (total !== null && received < total) throw new Error(`the download ended after ${received} of ${total} bytes`);
    if (`sha512-${hash.digest("base64")}` !== published.integrity)
      throw new StartError(
        `the download of ${published.name} ${published.version} is not what the registry published (SHA-512 differs); nothing was changed; run it again`,
      );
  });
}
