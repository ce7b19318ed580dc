/** Where the alerts are, and the PrometheusRule that is generated from them. */
export const ALERTS = "infra/prometheus/alerts.yml";
export const RULE = "infra/kubernetes/overlays/monitoring/prometheus-rule.yaml";

/** How many instances should run, by job: the replicas of Deployments and StatefulSets, which kube-state-metrics exposes. */
const EXPECTED = `
  - name: expected
    rules:
      - record: geolookup_expected_instances
        expr: |-
          sum by (job) (
            label_replace(kube_deployment_spec_replicas{namespace="geolookup", deployment=~"auth|geo|geo-data|usage|portal"},
              "job", "$1", "deployment", "(.*)")
            or label_replace(kube_statefulset_replicas{namespace="geolookup", statefulset="gateway"},
              "job", "$1", "statefulset", "(.*)")
          )`;

/**
 * Wraps the alerts into a PrometheusRule for the Prometheus Operator. Text, not objects, so that comments stay.
 * @param alerts the content of alerts.yml.
 */
export function prometheusRule(alerts: string): string {
  const groups = `${alerts.slice(alerts.search(/^groups:$/m)).trimEnd()}${EXPECTED}`;
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
