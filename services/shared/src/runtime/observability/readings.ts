import { OLD_DATA_ADVICE, OLD_DATA_DAYS, TO_FIX } from "../../domain/old-data.ts";

/** One number of a process's metrics. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The meaning of a metric for an operator; `bad` needs action. */
export interface Reading {
  text: string;
  bad: boolean;
}

const DAY_SECONDS = 86_400;
/** Flushes are a second apart. */
const LATE_FLUSH_SECONDS = 30;
/** The end of the key log is looked for every second. */
const LATE_KEY_EVENTS_SECONDS = 30;
/** A few seconds' worth at full rate. A healthy process has fewer. */
const LATE_MESSAGES = 1_000;
const CERTIFICATE_DAYS = 14;
/** A run takes only minutes. */
const LATE_REFRESH_HOURS = 6;
const HOUR_SECONDS = 3_600;

/** The metrics don't have the reason. */
export const REFRESH_FAILED = "the last refresh of the geo data failed";

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
      : bad(
          `the changed ${what} was refused, and the old one is still in use: ${labels.file ?? labels.database ?? ""}`,
        );

const counted = (value: number, one: string) => `${value} ${one}${value === 1 ? "" : "s"}`;
const behind = (log: string, { value }: Sample) => {
  const text = `${log} has ${counted(value, "message")} that this process hasn't read yet`;
  return value > LATE_MESSAGES ? bad(`${text}. Check its CPU and NATS`) : ok(text);
};

/** The streams that usage follows. */
const USAGE_STREAMS: Readonly<Record<string, string>> = {
  USAGE: "the usage log (counts by day)",
  USAGE_MONTHS: "the log of past months' usage",
};

/** The files of TLS between processes. */
const INTERNAL_FILES: Readonly<Record<string, string>> = {
  certificate: "the certificate for other processes",
  ca: "the CA of the certificate for other processes",
};

/** How to read each metric, in the order in which readings are shown. Null: nothing to report. */
const READINGS: Readonly<Record<string, (sample: Sample, nowSeconds: number) => Reading | null>> = {
  geolookup_authorization_cache_feed_live: either(
    "the key event feed is connected",
    "the key event feed is lost, so revocations take up to 30 s. Check NATS",
  ),
  geolookup_nats_connected: either("NATS is connected", "NATS isn't connected or isn't responding. Check NATS"),
  geolookup_gateway_auth_nodes_live: ({ value }) =>
    value > 0
      ? null
      : bad(
          "no auth node that has every key event can be reached. Without its own feed, this gateway misses revocations. Check auth and NATS",
        ),
  geolookup_redis_breaker_open: either(
    "the hourly limit is shared through Redis",
    "Redis can't be reached, so this gateway counts the hourly limit locally. Check Redis",
    (value) => value === 0,
  ),
  geolookup_peer_usage_available: either(
    "the usage service is connected",
    "the usage service can't be reached, so quotas use the last known totals. Check usage",
  ),
  geolookup_file_write_failing: ({ labels }) =>
    bad(
      `can't write ${labels.path}: ${labels.reason}. Free space, or make it writable. Counts are kept in memory until then`,
    ),
  geolookup_usage_flush_lag_seconds: ({ value }) =>
    value > LATE_FLUSH_SECONDS
      ? bad(`the oldest unpublished count is ${Math.round(value)} s old. Check NATS`)
      : ok(`the oldest unpublished count is ${value.toFixed(1)} s old`),
  geolookup_usage_journal_bytes: ({ value }) => ok(`the journal has ${counted(value, "byte")}`),
  geolookup_key_log_live: either("the key log is being read", "the key log isn't being read. Check NATS"),
  geolookup_key_log_lost: ({ value }) =>
    value === 1
      ? bad(
          "the key log lost events, so keys can't be changed. The log of auth says what is missing. Restore a backup with `./geolookup restore`, or " +
            "start without keys with `./geolookup keys log --new`",
        )
      : null,
  geolookup_key_log_age_seconds: ({ value }) =>
    value > LATE_KEY_EVENTS_SECONDS ? bad(`the key events are ${Math.round(value)} s old. Check NATS`) : null,
  geolookup_key_log_lag_messages: (sample) => behind("the key log", sample),
  geolookup_usage_log_lag_messages: (sample) =>
    behind(USAGE_STREAMS[sample.labels.stream ?? ""] ?? `the stream ${sample.labels.stream}`, sample),
  geolookup_auth_keys: ({ value, labels }) =>
    ok(`${counted(value, labels.status ? `${labels.status} key` : "key")} ${value === 1 ? "is" : "are"} loaded`),
  geolookup_auth_key_log_sequence: ({ value }) => ok(`the key log is read up to event ${value}`),
  geolookup_usage_log_position: ({ value }) => ok(`the usage log is read up to message ${value}`),
  geolookup_auth_file_refused: refused("file"),
  geolookup_geo_database_refused: refused("database"),
  geolookup_geo_geofeed_refused: ({ value }) =>
    value === 0
      ? null
      : bad(
          `${counted(value, "geofeed")} refused; their previous corrections stay in use. ./geolookup data check-geofeed … says why`,
        ),
  geolookup_geo_database_build_timestamp_seconds: ({ value, labels }, nowSeconds) => {
    const days = Math.floor((nowSeconds - value) / DAY_SECONDS);
    if (value === 0) return ok(`${labels.database}: build date unknown`);
    const text = `${labels.database}: built ${new Date(value * 1000).toISOString().slice(0, 10)}, ${counted(days, "day")} ago`;
    return days > OLD_DATA_DAYS ? bad(`${text}${TO_FIX}${OLD_DATA_ADVICE}`) : ok(text);
  },
  geolookup_geo_refresh_failing: either(
    "the last refresh of the geo data succeeded",
    REFRESH_FAILED,
    (value) => value === 0,
  ),
  geolookup_geo_refresh_next_run_timestamp_seconds: ({ value }, nowSeconds) => {
    const hours = Math.floor((nowSeconds - value) / HOUR_SECONDS);
    if (hours > LATE_REFRESH_HOURS)
      return bad(`the geo data refresh is overdue by ${counted(hours, "hour")}: its process isn't running`);
    return ok(`the geo data refresh is due at ${new Date(value * 1000).toISOString().slice(0, 16)}Z`);
  },
  geolookup_geo_geofeed_download_failing: ({ value, labels }) =>
    value === 0
      ? ok(`geofeed ${labels.feed}: downloaded`)
      : bad(`geofeed ${labels.feed}: download failed, and the previous copy stays in use. The log says why`),
  geolookup_geo_geofeed_prefixes: ({ value }) =>
    value === 0 ? null : ok(`geofeeds: correct ${value} ${value === 1 ? "prefix" : "prefixes"}`),
  geolookup_geo_geofeed_skipped_lines: ({ value }) =>
    value === 0
      ? null
      : bad(`geofeeds: ${counted(value, "invalid line")} skipped. ./geolookup data check-geofeed … lists the mistakes`),
  geolookup_trust_proxy_too_wide: ({ value }) =>
    value === 0
      ? null
      : bad(
          "TRUST_PROXY trusts most addresses: any caller can choose its address. Set it to the addresses of your proxies",
        ),
  geolookup_docs_url_unchecked: ({ value }) =>
    value === 0
      ? null
      : bad(
          "DOCS_URL may be the API's own address, which then has no /v1/geo. Set API_URL to the API's address to check it",
        ),
  geolookup_tls_certificate_refused: ({ value }) =>
    value === 0 ? null : bad("the renewed certificate was refused, and the old one is still in use"),
  geolookup_tls_certificate_expiry_timestamp_seconds: (sample, nowSeconds) =>
    expiry("the certificate", sample, nowSeconds),
  geolookup_internal_tls_files_refused: ({ value }) =>
    value === 0 ? null : bad("the changed INTERNAL_TLS files were refused, and the old ones are still in use"),
  geolookup_internal_tls_certificate_expiry_timestamp_seconds: (sample, nowSeconds) =>
    expiry(INTERNAL_FILES[sample.labels.file ?? ""] ?? "a certificate", sample, nowSeconds),
};

function expiry(what: string, { value }: Sample, nowSeconds: number): Reading {
  const days = Math.floor((value - nowSeconds) / DAY_SECONDS);
  if (days < 0) return bad(`${what} has expired. Renew it`);
  const text = `${what} expires in ${counted(days, "day")}`;
  return days < CERTIFICATE_DAYS ? bad(`${text}. Renew it`) : ok(text);
}

/** The metrics that readings are made from. */
export const READ_METRICS: readonly string[] = Object.keys(READINGS);

/** Reads a process's metrics. Missing metrics are skipped. */
export function readingsOf(samples: readonly Sample[], nowSeconds: number): Reading[] {
  const has = (name: string) => samples.some((sample) => sample.name === name);
  // A process with all services has its logs in files.
  const isStandalone = has("geolookup_usage_flush_lag_seconds") && has("geolookup_usage_log_position");
  return READ_METRICS.flatMap((name) =>
    samples
      .filter((sample) => sample.name === name)
      .map((sample) => READINGS[name]?.(sample, nowSeconds) ?? null)
      .filter((reading) => reading !== null)
      .map(({ text, bad }) => ({ text: isStandalone ? text.replace(/NATS$/, "the disk of DATA_DIR") : text, bad })),
  );
}

/** Parses Prometheus's text format. Lines that aren't samples are skipped. */
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
