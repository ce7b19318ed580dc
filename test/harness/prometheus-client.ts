import { expect } from "chai";

/** One series in a response: its labels and current value. */
interface Sample {
  metric: Record<string, string>;
  value: [unixSeconds: number, value: string];
}

interface PrometheusRule {
  name: string;
  query: string;
  health: string;
  alerts: { state: string; labels: Record<string, string>; annotations: Record<string, string> }[];
}

/** A running Prometheus. */
export interface PrometheusClient {
  /** Evaluates an expression now. @throws Error with Prometheus's message if it is invalid. */
  query(expression: string): Promise<Sample[]>;
  /** Every loaded alerting rule, with its firing alerts. */
  rules(): Promise<PrometheusRule[]>;
  /** Its targets, with the outcome of scraping them. */
  targets(): Promise<{ labels: Record<string, string>; health: string; lastError: string }[]>;
}

/** @param url its base address. */
export function prometheusClient(url: string): PrometheusClient {
  const ask = async (path: string) => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(10_000) });
    // biome-ignore lint/suspicious/noExplicitAny: each path's document has another shape
    const body = (await response.json()) as any;
    if (body.status !== "success") throw new Error(`Prometheus returned ${response.status}: ${body.error}`);
    return body.data;
  };
  return {
    query: async (expression) => (await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)).result,
    rules: async () =>
      (await ask("/api/v1/rules?type=alert")).groups.flatMap(({ rules }: { rules: PrometheusRule[] }) => rules),
    targets: async () => (await ask("/api/v1/targets?state=active")).activeTargets,
  };
}

/** Resolves with the given expressions that have no value. @throws Error naming an invalid one. */
export async function withoutData(client: PrometheusClient, expressions: readonly string[]): Promise<string[]> {
  const empty: string[] = [];
  for (const expression of expressions) {
    const samples = await client.query(expression).catch((error: Error) => {
      throw new Error(`${expression}: ${error.message}`);
    });
    if (!samples.some(({ value: [, value] }) => Number.isFinite(Number(value)))) empty.push(expression);
  }
  return empty;
}

/** Asserts that Prometheus could evaluate every rule, and has all metrics in them except those given. */
export async function expectValidRules(client: PrometheusClient, withoutMetric: RegExp): Promise<void> {
  const rules = await client.rules();
  expect(rules.map(({ name }) => name)).to.have.length.above(25);
  for (const { name, query, health } of rules) {
    expect(health, name).to.equal("ok");
    const metrics = query.match(/\b(?:geolookup|nodejs|process)_\w+|\bup\b/g) ?? [];
    expect(metrics, name).to.not.be.empty;
    for (const metric of metrics)
      if (!withoutMetric.test(metric))
        expect(await client.query(`count(${metric})`), `${name}: ${metric}`).to.not.be.empty;
  }
}
