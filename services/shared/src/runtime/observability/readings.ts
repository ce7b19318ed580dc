import { OLD_DATA_ADVICE, OLD_DATA_DAYS } from "../../domain/old-data.ts";

/** One number of a process's metrics. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** What a process's metrics tell an operator, in words; `bad` is worth acting on. */
export interface Reading {
  text: string;
  bad: boolean;
}

const DAY_SECONDS = 86_400;
/** Flushes are a second apart. */
const LATE_FLUSH_SECONDS = 30;
/** As many as are written in some seconds at full rate: who keeps up has fewer. */
const LATE_MESSAGES = 1_000;
const CERTIFICATE_DAYS = 14;

const ok = (text: string): Reading => ({ text, bad: false });
const bad = (text: string): Reading => ({ text, bad: true });
const either =
  (good: string, otherwise: string, isGood: (value: number) => boolean = (value) => value === 1) =>
  ({ value }: Sample) =>
    isGood(value) ? ok(good) : bad(otherwise);
const refused =
  (what: string) =>
  ({ value, labels }: Sample) =>
    value === 0
      ? null
      : bad(`a changed ${what} is refused, the old one stays in use: ${labels.file ?? labels.database ?? ""}`);

const counted = (value: number, one: string) => `${value} ${one}${value === 1 ? "" : "s"}`;
const behind = (log: string, { value }: Sample) => {
  const text = `is ${counted(value, "message")} behind ${log}`;
  return value > LATE_MESSAGES ? bad(`${text}. Look at its CPU and at NATS`) : ok(text);
};

/** What usage follows, by the name of the stream. */
const USAGE_STREAMS: Readonly<Record<string, string>> = {
  USAGE: "the usage log (counts by day)",
  USAGE_MONTHS: "the usage log's records of past months",
};

/** How each metric is read, in the order in which they are shown; null: there is nothing to say. */
const READINGS: Readonly<Record<string, (sample: Sample, nowSeconds: number) => Reading | null>> = {
  geolookup_authorization_cache_feed_live: either(
    "hears of key changes as they happen",
    "does not hear of key changes: revocations take up to 30 s. Look at NATS",
  ),
  geolookup_redis_breaker_open: either(
    "shares the hourly limit through Redis",
    "counts the hourly limit by itself. Look at Redis",
    (value) => value === 0,
  ),
  geolookup_peer_usage_available: either(
    "is told by usage what others count",
    "is not told what others count: quotas go on from the last known totals. Look at usage",
  ),
  geolookup_usage_flush_lag_seconds: ({ value }) =>
    value > LATE_FLUSH_SECONDS
      ? bad(`has counts that wait to be published for ${Math.round(value)} s. Look at NATS`)
      : ok(`the oldest unpublished count waits ${value.toFixed(1)} s`),
  geolookup_usage_journal_bytes: ({ value }) => ok(`its journal has ${counted(value, "byte")}`),
  geolookup_key_log_live: either("follows the key log", "does not follow the key log. Look at NATS"),
  geolookup_key_log_lag_messages: (sample) => behind("the key log", sample),
  geolookup_usage_log_lag_messages: (sample) =>
    behind(USAGE_STREAMS[sample.labels.stream ?? ""] ?? `the stream ${sample.labels.stream}`, sample),
  geolookup_auth_keys: ({ value, labels }) =>
    ok(`knows ${counted(value, "key")}${labels.status ? ` (${labels.status})` : ""}`),
  geolookup_auth_key_log_sequence: ({ value }) => ok(`has read the key log up to event ${value}`),
  geolookup_usage_log_position: ({ value }) => ok(`has read the usage log up to message ${value}`),
  geolookup_auth_file_refused: refused("file"),
  geolookup_geo_database_refused: refused("database"),
  geolookup_geo_geofeed_refused: refused("geofeed"),
  geolookup_geo_database_build_timestamp_seconds: ({ value, labels }, nowSeconds) => {
    const days = Math.floor((nowSeconds - value) / DAY_SECONDS);
    if (value === 0) return ok(`${labels.database}: does not say when it was built`);
    const text = `${labels.database}: built ${new Date(value * 1000).toISOString().slice(0, 10)}, ${counted(days, "day")} ago`;
    return days > OLD_DATA_DAYS ? bad(`${text}: old. What helps: ${OLD_DATA_ADVICE}`) : ok(text);
  },
  geolookup_geo_geofeed_prefixes: ({ value }) =>
    ok(`geofeed: corrects ${value} ${value === 1 ? "prefix" : "prefixes"}`),
  geolookup_tls_certificate_refused: ({ value }) =>
    value === 0 ? null : bad("a renewed certificate is refused, the old one stays in use"),
  geolookup_tls_certificate_expiry_timestamp_seconds: ({ value }, nowSeconds) => {
    const days = Math.floor((value - nowSeconds) / DAY_SECONDS);
    const text = `its certificate ends in ${counted(days, "day")}`;
    return days < CERTIFICATE_DAYS ? bad(`${text}: renew it`) : ok(text);
  },
};

/** The names of the metrics that are read. */
export const READ_METRICS: readonly string[] = Object.keys(READINGS);

/** What a process's metrics say. Metrics that it does not have say nothing. */
export function readingsOf(samples: readonly Sample[], nowSeconds: number): Reading[] {
  return READ_METRICS.flatMap((name) =>
    samples
      .filter((sample) => sample.name === name)
      .map((sample) => READINGS[name]?.(sample, nowSeconds) ?? null)
      .filter((reading) => reading !== null),
  );
}

/** Reads Prometheus's text format; lines that are no sample are passed over. */
export function parseSamples(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labelText = "", value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)/i.exec(line) ?? [];
    if (name === undefined) return [];
    const labels = Object.fromEntries(
      [...labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [label, text]),
    );
    return [{ name, labels, value: Number(value) }];
  });
}
