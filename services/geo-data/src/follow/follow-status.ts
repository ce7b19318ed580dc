import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import { type Manifest, setName } from "./manifest.ts";

/** The result of a poll of the geo data server. */
type FetchResult = "updated" | "unchanged" | "failed" | "refused";

/** Reports the state of copying from the geo data server, in metrics and in one log line per change. */
export function createFollowStatus({ server, log, registry }: { server: string; log: Logger; registry: Registry }) {
  const registers = [registry];
  const fetches = new Counter({
    name: "geolookup_geo_data_fetches_total",
    help: "Polls of the geo data server, by result.",
    labelNames: ["result"],
    registers,
  });
  for (const result of ["updated", "unchanged", "failed", "refused"]) fetches.inc({ result }, 0);
  const failing = new Gauge({
    name: "geolookup_geo_data_fetch_failing",
    help: "1 if the last poll of the geo data server failed, or its data is refused.",
    registers,
  });
  const lastSuccess = new Gauge({
    name: "geolookup_geo_data_fetch_last_success_timestamp_seconds",
    help: "When the data was last found to be the server's, or made so, Unix seconds.",
    registers,
  });
  let copied: Pick<Manifest, "version" | "databases"> | null = null;
  const info = {
    name: "geolookup_geo_data_info",
    help: "Always 1; the labels have the server's name for the copied version, and a part of its hash.",
  };
  exposeVersion(info, registry, () => copied);
  /** Why the server's data isn't used, and why the last poll failed. */
  let refusal: string | null = null;
  let failure: string | null = null;

  const polled = (result: FetchResult) => {
    fetches.inc({ result });
    const isFailing = refusal !== null || failure !== null;
    failing.set(Number(isFailing));
    if (!isFailing) lastSuccess.set(Math.floor(Date.now() / 1_000));
  };
  return {
    /** The databases of a manifest are installed. @param seconds how long fetching them took; null if they were here already. */
    copied: (manifest: Pick<Manifest, "version" | "databases">, seconds: number | null): void => {
      copied = manifest;
      const { version, databases } = manifest;
      if (seconds !== null) log.info({ server, version, set: setName(databases), seconds }, "geo data fetched");
    },
    updated: (): void => {
      failure = null;
      refusal = null;
      polled("updated");
    },
    /** @param isOther whether the manifest has changed since the last poll. */
    unchanged: (isOther: boolean): void => {
      if (isOther) refusal = null;
      if (failure !== null) log.info({ server }, "geo data server is available again");
      failure = null;
      polled("unchanged");
    },
    refused: ({ message }: Error): void => {
      log.error({ server, problem: withoutAdvice(message) }, "geo data refused; it isn't used");
      failure = null;
      refusal = message;
      polled("refused");
    },
    /** @param isWaiting whether there is no data to start with. */
    failed: ({ message, code }: NodeJS.ErrnoException, isWaiting: boolean): void => {
      const problem = withoutAdvice(message) || code || "unknown";
      if (problem !== failure)
        log.warn({ server, problem }, isWaiting ? "waiting for geo data" : "geo data not fetched; retrying");
      failure = problem;
      polled("failed");
    },
  };
}

/** A problem without the URL, and without what to do about a command. */
function withoutAdvice(message: string): string {
  return message.replace(/^cannot download \S+: /, "").replace(/; (?:check the network|nothing was changed)\b.*$/, "");
}

/**
 * A metric labeled with the version of the data and part of its databases' hash. The labels of nodes and server are equal if
 * their data is.
 * @param current null if there is no data yet.
 */
export function exposeVersion(
  { name, help }: { name: string; help: string },
  registry: Registry,
  current: () => Pick<Manifest, "version" | "databases"> | null,
): void {
  new Gauge({
    name,
    help,
    labelNames: ["version", "set"],
    registers: [registry],
    collect() {
      this.reset();
      const manifest = current();
      if (manifest) this.set({ version: manifest.version, set: setName(manifest.databases) }, 1);
    },
  });
}
