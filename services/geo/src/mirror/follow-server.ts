import { setTimeout as delay } from "node:timers/promises";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Registry } from "@prometheus-io/client";
import { copyBeside } from "./copy-beside.ts";
import { type Download, installSet, RefusedSetError, temporaryFolder } from "./install-set.ts";
import { currentVersion, keepIfUsable } from "./local-versions.ts";
import { createMirrorStatus } from "./mirror-status.ts";
import { downloadFile, type FetchedManifest, fetchManifest } from "./server-client.ts";

const POLL_MS = 10_000;
/** Jitter, as a share of the wait to either side, so that nodes that start together don't keep polling together. */
const JITTER = 0.2;
/** After a first failure; doubles with each further one, up to the interval of polls. */
const FIRST_RETRY_MS = 1_000;
/** Between polls while there is no data. */
const WAITING_POLL_MS = 2_000;
/** A download that fails again and again must not keep the network busy. */
const MAX_DOWNLOAD_RETRY_MS = 5 * 60_000;

/** A copy of a geo data server's files that is kept current. */
export interface Mirror extends AsyncDisposable {
  /** Resolves when there are databases to start with. */
  available: Promise<void>;
}

/**
 * Copies the data of a geo data server into a folder, where the locator notices it, and follows the server from then on.
 * While the server can't be reached, what is in the folder stays.
 * @param options.server its URL, without a trailing slash.
 * @param options.tls for connections to the server. Default: none.
 * @param options.folder of this process alone.
 * @param options.stopping aborts the start.
 * @param options.pollMs for tests.
 * @throws StartError if the folder can't be written or another process uses it.
 */
export async function followServer(options: {
  server: string;
  folder: string;
  tls?: InternalTls | null;
  log: Logger;
  registry: Registry;
  stopping?: AbortSignal | undefined;
  pollMs?: number | undefined;
}): Promise<Mirror> {
  const { server, folder, tls = null, log, registry, stopping, pollMs = POLL_MS } = options;
  const source = { url: server, tls };
  const closing = new AbortController();
  const { signal } = closing;
  const lock = lockFolder(temporaryFolder(folder));
  const status = createMirrorStatus({ server, log, registry });
  const { promise: available, resolve: setAvailable, reject: stop } = Promise.withResolvers<void>();
  // Nobody may be waiting for it any longer.
  available.catch(() => {});
  const download: Download = (file, path) => downloadFile(source, file, path, signal);
  /** Of the manifest that is in use, or refused. */
  let etag: string | null = null;
  let isWaiting = true;

  const use = async ({ manifest, etag: itsEtag }: FetchedManifest): Promise<void> => {
    const besideProblem = await copyBeside(manifest, { folder, download });
    const startedMs = performance.now();
    const isUpdated = await installSet(manifest, { folder, download, signal });
    status.copied(manifest, isUpdated ? Math.round(performance.now() - startedMs) / 1_000 : null);
    isWaiting = false;
    setAvailable();
    if (besideProblem) throw besideProblem;
    etag = itsEtag;
    if (isUpdated) status.updated();
    else status.unchanged(true);
  };
  /** @returns null, or after a failure the longest wait until the next poll, in milliseconds. */
  const poll = async (): Promise<number | null> => {
    let fetched: FetchedManifest | null = null;
    try {
      fetched = await fetchManifest(source, etag, signal);
      if (fetched === null) status.unchanged(false);
      else await use(fetched);
      return null;
    } catch (error) {
      if (signal.aborted) return null;
      if (fetched !== null && error instanceof RefusedSetError) {
        // It stays refused until the server has another one.
        etag = fetched.etag;
        status.refused(error);
        return null;
      }
      status.failed(error as Error, isWaiting);
      if (fetched !== null) return MAX_DOWNLOAD_RETRY_MS;
      return isWaiting ? Math.min(WAITING_POLL_MS, pollMs) : pollMs;
    }
  };
  const follow = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      const maxRetryMs = await poll();
      const waitMs = maxRetryMs === null ? pollMs : Math.min(retryMs, maxRetryMs);
      retryMs = maxRetryMs === null ? FIRST_RETRY_MS : Math.min(retryMs * 2, MAX_DOWNLOAD_RETRY_MS);
      const jitter = 1 + JITTER * (2 * Math.random() - 1);
      await delay(waitMs * jitter, undefined, { signal, ref: false }).catch(() => {});
    }
  };

  try {
    if (await keepIfUsable(folder, stopping ?? signal)) {
      isWaiting = false;
      setAvailable();
    }
    const local = await currentVersion(folder);
    if (local) status.copied(local, null);
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
  const following = follow();
  const onStop = () => stop(stopping?.reason);
  stopping?.addEventListener("abort", onStop);
  return {
    available,
    [Symbol.asyncDispose]: async () => {
      stopping?.removeEventListener("abort", onStop);
      closing.abort();
      await following;
      lock[Symbol.dispose]();
    },
  };
}
