import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALERTS, prometheusRule, RULE } from "./prometheus-rule.ts";

/** Writes the alerts of Prometheus as a PrometheusRule. A test compares them. */
const ROOT = join(import.meta.dirname, "../..");
writeFileSync(join(ROOT, RULE), prometheusRule(readFileSync(join(ROOT, ALERTS), "utf8")));
