import { readFileSync } from "node:fs";

/** A row of docs/monitor.md. */
export interface DocumentedMetric {
  name: string;
  type: string;
  labels: string[];
  /** By process: its requirement, or null. */
  of: Map<string, string | null>;
}

/** Written as `services` in the column of processes. */
const SERVICES = ["gateway", "auth", "geo", "usage", "portal"];

const ROW = /^\| `(geolookup_\w+)(?:\{([\w,]+)\})?` \| ([^|]*) \| [^|]+ \|$/;

/** Reads the list. @throws Error naming a table row that isn't a metric. */
export function readDocumentedMetrics(): DocumentedMetric[] {
  const lines = readFileSync("docs/monitor.md", "utf8").split("\n");
  return lines
    .filter((line) => line.startsWith("| `geolookup_"))
    .map((line) => {
      const [, name = "", labels = "", of = ""] = ROW.exec(line) ?? [];
      if (name === "") throw new Error(`docs/monitor.md: not a metric's row: ${line}`);
      return {
        name,
        type: typeOf(name),
        labels: labels === "" ? [] : labels.split(","),
        of: processes(of),
      };
    });
}

/** The rule at the top of the page. */
function typeOf(name: string): string {
  if (name.endsWith("_total")) return "counter";
  return /_(?:duration_seconds|batch_size)$/.test(name) ? "histogram" : "gauge";
}

function processes(cell: string): Map<string, string | null> {
  return new Map(
    cell.split(", ").flatMap((item) => {
      const [, process = item, needs = null] = /^([\w-]+) \((\w+)\)$/.exec(item) ?? [];
      return (process === "services" ? SERVICES : [process]).map((name) => [name, needs] as const);
    }),
  );
}
