/** Where the alerts are, and the PrometheusRule that is generated from them. */
export const ALERTS = "infra/prometheus/alerts.yml";
export const RULE = "infra/kubernetes/overlays/monitoring/prometheus-rule.yaml";

/**
 * Wraps the alerts into a PrometheusRule for the Prometheus Operator. Text, not objects, so that comments stay.
 * @param alerts the content of alerts.yml.
 */
export function prometheusRule(alerts: string): string {
  const groups = alerts.slice(alerts.search(/^groups:$/m)).trimEnd();
  const indented = groups.replace(/^(?=.)/gm, "  ");
  return `# Generated from ${ALERTS}: npm run kubernetes-alerts
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: geolookup
  labels: { app.kubernetes.io/name: geolookup }
spec:
${indented}
`;
}
