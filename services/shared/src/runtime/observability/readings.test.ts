import { expect } from "chai";
import { parseSamples, readingsOf } from "./readings.ts";

const NOW = Date.UTC(2026, 10, 21) / 1000;
const days = (count: number) => NOW + count * 86_400;

describe("readingsOf", () => {
  const cases: [line: string, bad: boolean | null, says: RegExp][] = [
    ["geolookup_authorization_cache_feed_live 1", false, /^the key event feed is connected/],
    ["geolookup_authorization_cache_feed_live 0", true, /key event feed is lost.*NATS/],
    ["geolookup_redis_breaker_open 0", false, /through Redis/],
    ["geolookup_redis_breaker_open 1", true, /counts the hourly limit locally.*Redis/],
    ["geolookup_peer_usage_available 0", true, /last known totals/],
    ["geolookup_usage_flush_lag_seconds 0.5", false, /0\.5 s/],
    ["geolookup_usage_flush_lag_seconds 31", true, /31 s.*NATS/],
    [
      'geolookup_file_write_failing{path="/data/journals",reason="the disk is full"} 1',
      true,
      /^can't write \/data\/journals: the disk is full\. Free space/,
    ],
    ["geolookup_key_log_live 0", true, /key log isn't being read/],
    ["geolookup_key_log_lost 0", null, /^$/],
    ["geolookup_key_log_lost 1", true, /lost events.*.\/geolookup restore.*log --new/],
    ["geolookup_key_log_age_seconds 4.2", null, /^$/],
    ["geolookup_key_log_age_seconds 62.4", true, /key events are 62 s old\. Check NATS/],
    ["geolookup_nats_connected 1", false, /^NATS is connected/],
    ["geolookup_nats_connected 0", true, /NATS isn't connected/],
    ["geolookup_gateway_auth_nodes_live 1", null, /^$/],
    ["geolookup_gateway_auth_nodes_live 0", true, /no auth node that has every key event/],
    ["geolookup_key_log_lag_messages 3", false, /^the key log has 3 messages/],
    [
      'geolookup_usage_log_lag_messages{stream="USAGE"} 1001',
      true,
      /^the usage log \(counts by day\) has 1001 messages .*\. Check/,
    ],
    [
      'geolookup_usage_log_lag_messages{stream="USAGE_MONTHS"} 1',
      false,
      /^the log of past months' usage has 1 message /,
    ],
    ['geolookup_auth_keys{status="active"} 1', false, /^1 active key is loaded$/],
    ['geolookup_auth_keys{status="revoked"} 0', false, /^0 revoked keys are loaded$/],
    ['geolookup_auth_file_refused{file="plans"} 1', true, /refused.*plans/],
    ['geolookup_auth_file_refused{file="plans"} 0', null, /^$/],
    ['geolookup_geo_database_refused{database="city.mmdb"} 1', true, /refused.*city\.mmdb/],
    [
      `geolookup_geo_database_build_timestamp_seconds{database="c.mmdb"} ${days(-3)}`,
      false,
      /c\.mmdb.*2026-11-18, 3 days/,
    ],
    [
      `geolookup_geo_database_build_timestamp_seconds{database="c.mmdb"} ${days(-46)}`,
      true,
      /46 days ago\. To fix: .*--update.*docs\/data\.md/,
    ],
    ['geolookup_geo_database_build_timestamp_seconds{database="c.mmdb"} 0', false, /build date unknown/],
    ["geolookup_geo_refresh_failing 0", false, /refresh.*succeeded/],
    ["geolookup_geo_refresh_failing 1", true, /refresh.*failed/],
    [`geolookup_geo_refresh_next_run_timestamp_seconds ${days(0.5)}`, false, /due at 2026-11-21T12:00Z/],
    [
      `geolookup_geo_refresh_next_run_timestamp_seconds ${days(-1)}`,
      true,
      /overdue by 24 hours: its process isn't running/,
    ],
    ["geolookup_geo_geofeed_skipped_lines 0", null, /^$/],
    ["geolookup_geo_geofeed_skipped_lines 2", true, /2 invalid lines skipped\. .\/geolookup data check-geofeed/],
    [`geolookup_tls_certificate_expiry_timestamp_seconds ${days(60)}`, false, /60 days/],
    [`geolookup_tls_certificate_expiry_timestamp_seconds ${days(3)}`, true, /3 days\. Renew/],
    [`geolookup_tls_certificate_expiry_timestamp_seconds ${days(-3)}`, true, /has expired\. Renew/],
    [`geolookup_internal_tls_certificate_expiry_timestamp_seconds{file="ca"} ${days(60)}`, false, /the CA.*60 days/],
    [`geolookup_internal_tls_certificate_expiry_timestamp_seconds{file="certificate"} ${days(3)}`, true, /3 days\. R/],
    ["geolookup_trust_proxy_too_wide 0", null, /^$/],
    ["geolookup_trust_proxy_too_wide 1", true, /any caller can choose its address/],
    ["geolookup_docs_url_unchecked 0", null, /^$/],
    ["geolookup_docs_url_unchecked 1", true, /no \/v1\/geo\. Set API_URL/],
    ["geolookup_internal_tls_files_refused 0", null, /^$/],
    ["geolookup_internal_tls_files_refused 1", true, /INTERNAL_TLS files were refused/],
    ["geolookup_something_else 7", null, /^$/],
    ["# HELP geolookup_key_log_live 0", null, /^$/],
  ];
  for (const [line, bad, says] of cases)
    it(line, () => {
      const [reading] = readingsOf(parseSamples(`${line}\n`), NOW);
      expect(reading?.bad ?? null).to.equal(bad);
      expect(reading?.text ?? "").to.match(says);
    });

  it("names the disk instead of NATS for a process with all services", () => {
    const text = "geolookup_usage_flush_lag_seconds 31\ngeolookup_usage_log_position 7\ngeolookup_key_log_live 0\n";
    const advice = readingsOf(parseSamples(text), NOW).flatMap(({ text, bad }) => (bad ? text.split(". ")[1] : []));
    expect(advice).to.deep.equal(["Check the disk of DATA_DIR", "Check the disk of DATA_DIR"]);
  });

  it("reads labels with quotes and commas", () => {
    expect(parseSamples('a{b="x, \\"y\\"",c="z"} 1.5e3 1700000000000')).to.deep.equal([
      { name: "a", labels: { b: 'x, \\"y\\"', c: "z" }, value: 1_500 },
    ]);
  });
});
