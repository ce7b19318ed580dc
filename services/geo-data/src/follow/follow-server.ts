import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CURRENT_FILE } from "@geolookup/geo/databases/installed-databases.ts";
import { openInstalled } from "@geolookup/geo/databases/reload.ts";
import type { Follow } from "@geolookup/geo/server.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { fetchGeoData } from "../fetch/fetch-geo-data.ts";
import { UnusablePartError } from "../fetch/refused-data-error.ts";
import { readInstalled } from "../store/installed.ts";
import { copyBeside } from "./copy-beside.ts";
import { createFollowStatus } from "./follow-status.ts";
import { createServerClient, type FetchedManifest } from "./server-client.ts";
import { removeUnkept, servedAs, serverVendor } from "./server-vendor.ts";

const POLL_MS = 10_000;
/** Jitter, as a share of the wait to either side, so that nodes that start together don't keep polling together. */
const JITTER = 0.2;
/** After a first failure; doubles with each further one, up to the interval of polls. */
const FIRST_RETRY_MS = 1_000;
/** Between polls while there is no data. */
const WAITING_POLL_MS = 2_000;
/** A download that fails again and again must not keep the network busy. */
const MAX_DOWNLOAD_RETRY_MS = 5 * 60_000;

/**
 * Copies the data of a geo data server into a folder, where the locator notices it, and follows the server from then on.
 * While the server can't be reached, what is in the folder stays.
 * @param options.server its URL, without a trailing slash.
 * @param options.tls for connections to the server. Null: none.
 * @param options.folder of this process alone.
 * @param options.stopping aborts the start.
 * @param options.pollMs for tests.
 * @throws StartError if the folder can't be written or another process uses it.
 */
export async function followServer(
  options: Parameters<Follow>[0] & { pollMs?: number },
): Promise<Awaited<ReturnType<Follow>>> {
  const { server, folder, tls, log, registry, stopping, pollMs = POLL_MS } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const { fetchManifest, download } = createServerClient(server, tls, signal);
  const lock = lockFolder(join(folder, ".follow"));
  const status = createFollowStatus({ server, log, registry });
  const { promise: available, resolve: setAvailable, reject: stop } = Promise.withResolvers<void>();
  // Nobody may be waiting for it any longer.
  available.catch(() => {});
  /** Of the manifest that is in use, or refused. */
  let etag: string | null = null;
  let isWaiting = true;

  const use = async ({ manifest, etag: itsEtag }: FetchedManifest): Promise<void> => {
    const besideProblem = await copyBeside(manifest, { folder, download });
    const startedMs = performance.now();
    const vendor = serverVendor(manifest, { folder, download });
    const { outcome, stored } = await fetchGeoData({ folder, vendor, refetch: "update", now: Date.now, say: () => {} });
    await removeUnkept(folder, stored, manifest);
    const isUpdated = outcome === "updated";
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
      fetched = await fetchManifest(etag);
      if (fetched === null) status.unchanged(false);
      else await use(fetched);
      return null;
    } catch (error) {
      if (signal.aborted) return null;
      if (fetched !== null && error instanceof UnusablePartError && error.isLasting) {
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
    const installed = await readInstalled(folder);
    if (installed) status.copied(servedAs(installed.stored), null);
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

/**
 * Finds out whether the version in use has the files that were copied, and passes the checks of this release. Otherwise, it
 * isn't in use any longer.
 * @returns whether there is a version to start with.
 * @throws the signal's reason.
 */
async function keepIfUsable(folder: string, signal: AbortSignal): Promise<boolean> {
  const installed = await readInstalled(folder);
  try {
    await openInstalled(folder, { signal, onLoss: () => {} });
    // The version before kept no record of it.
    if (installed === null || installed.damaged.length === 0) return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof StartError)) throw error;
  }
  await rm(join(folder, CURRENT_FILE), { force: true });
  return false;
}
