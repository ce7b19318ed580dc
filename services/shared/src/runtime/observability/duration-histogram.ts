import { Histogram, type Registry } from "@prometheus-io/client";

/** Durations with one set of label values. */
export interface Durations {
  observe(seconds: number): void;
}

interface Series extends Durations {
  labels: Record<string, string>;
  /** One for each bucket, the last without a bound; not cumulative. */
  counts: Float64Array;
  sum: number;
}

/**
 * A fast histogram for hot code: it takes a tenth of the time of the Prometheus client's `observe`, which hashes
 * labels and looks up buckets by their text. The client gets the counts when metrics are rendered.
 * @param metric.buckets upper bounds in seconds, ascending.
 * @returns a function from the value of the label to its durations. Keep its results.
 */
export function createDurationHistogram(
  registry: Registry,
  metric: { name: string; help: string; labelName: string; buckets: readonly number[] },
): (label: string) => Durations {
  const { name, help, labelName, buckets } = metric;
  const all: Series[] = [];
  const rendered = () => ({ name, help, type: "histogram", aggregator: "sum", values: all.flatMap(valuesOf) });
  const valuesOf = ({ labels, counts, sum }: Series) => {
    let total = 0;
    const values = [...counts].map((count, index) => {
      total += count;
      return { metricName: `${name}_bucket`, labels: { le: buckets[index] ?? "+Inf", ...labels }, value: total };
    });
    return [
      ...values,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  };
  const histogram = new Histogram({
    name,
    help,
    labelNames: [labelName],
    buckets: [...buckets],
    registers: [registry],
  });
  // The methods that a registry reads metrics with.
  Object.assign(histogram, { get: async () => rendered(), getForPromString: async () => rendered() });
  return (label) => {
    const counts = new Float64Array(buckets.length + 1);
    const series: Series = {
      labels: { [labelName]: label },
      counts,
      sum: 0,
      observe(seconds) {
        let bucket = 0;
        while (bucket < buckets.length && seconds > (buckets[bucket] as number)) bucket += 1;
        counts[bucket] = (counts[bucket] as number) + 1;
        series.sum += seconds;
      },
    };
    all.push(series);
    return series;
  };
}
