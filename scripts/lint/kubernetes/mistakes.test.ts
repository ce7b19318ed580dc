import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ROOT } from "../files.ts";
import { findProblems } from "./find-problems.ts";

const BASE = "infra/kubernetes/base";
const OVERLAYS = "infra/kubernetes/overlays";

/** A mistake in one file, and what `make lint` says about it. */
const MISTAKES: [title: string, file: string, find: string | RegExp, replace: string, message: RegExp][] = [
  ["a wrong port", `${BASE}/geo.yaml`, "containerPort: 50051", "containerPort: 50052", /Deployment geo: .*listens on/],
  ["a Service for a port that no pod has", `${BASE}/auth.yaml`, "targetPort: grpc", "targetPort: http", /no port http/],
  [
    "a misspelled variable",
    `${BASE}/auth.yaml`,
    "name: NATS_USER,",
    "name: NATS_USERS,",
    /sets NATS_USERS, which its code doesn't read/,
  ],
  [
    "a missing variable",
    `${BASE}/gateway.yaml`,
    /\n.*name: KEYLESS,.*/,
    "",
    /doesn't set KEYLESS, which its code reads/,
  ],
  ["an invalid value", `${OVERLAYS}/demo/settings.yaml`, 'NATS_REPLICAS: "3"', 'NATS_REPLICAS: "9"', /NATS_REPLICAS/],
  [
    "a misspelled setting",
    `${OVERLAYS}/production/settings.yaml`,
    "TRUST_PROXY: none",
    "TRUSTED_PROXY: none",
    /no pod uses TRUSTED_PROXY/,
  ],
  [
    "an unknown field",
    `${BASE}/usage.yaml`,
    "terminationGracePeriodSeconds",
    "terminationGraceSeconds",
    /terminationGraceSeconds isn't a field/,
  ],
  ["a value of the wrong type", `${BASE}/portal.yaml`, "maxUnavailable: 0", "maxUnavailable: [0]", /maxUnavailable/],
  [
    "no readiness probe",
    `${BASE}/usage.yaml`,
    /readinessProbe:[\s\S]*?(?=\n +# Alive)/,
    "",
    /usage: has no readinessProbe/,
  ],
  [
    "a startup probe that requires readiness",
    `${BASE}/auth.yaml`,
    "path: /healthz",
    "path: /readyz",
    /startupProbe must not use \/readyz/,
  ],
  [
    "a privileged pod",
    `${BASE}/gateway.yaml`,
    "allowPrivilegeEscalation: false",
    "privileged: true",
    /must not be privileged/,
  ],
  [
    "a writable root",
    `${BASE}/portal.yaml`,
    "readOnlyRootFilesystem: true",
    "readOnlyRootFilesystem: false",
    /readOnlyRootFilesystem/,
  ],
  [
    "a service account token",
    `${BASE}/geo.yaml`,
    "automountServiceAccountToken: false",
    "automountServiceAccountToken: true",
    /Token must be false/,
  ],
  [
    "too little time to stop",
    `${BASE}/gateway.yaml`,
    "GracePeriodSeconds: 30",
    "GracePeriodSeconds: 20",
    /must be more than 20/,
  ],
  [
    "no PodDisruptionBudget",
    `${BASE}/auth.yaml`,
    /---\napiVersion: policy[\s\S]*/,
    "",
    /auth: has no PodDisruptionBudget/,
  ],
  [
    "pods that aren't spread over zones",
    `${BASE}/geo.yaml`,
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    /isn't spread/,
  ],
  [
    "a Secret that doesn't exist",
    `${BASE}/usage.yaml`,
    "secret: { name: admin-token }",
    "secret: { name: token }",
    /no Secret token/,
  ],
  [
    "a secret file under another name",
    `${BASE}/auth.yaml`,
    "secrets/admin-token }",
    "secrets/token }",
    /ADMIN_TOKEN_FILE is .*, which isn't in the Secret/,
  ],
  [
    "a secret that everyone can read",
    `${BASE}/usage.yaml`,
    "defaultMode: 288",
    "defaultMode: 420",
    /defaultMode must be 288/,
  ],
  [
    "a path where nothing is mounted",
    `${BASE}/gateway.yaml`,
    "mountPath: /data",
    "mountPath: /journal",
    /DATA_DIR is \/data\/gateway, where/,
  ],
  [
    "a pod without its certificate",
    `${BASE}/geo-data.yaml`,
    /\n.*name: internal-tls, mountPath.*/,
    "",
    /geo-data: INTERNAL_TLS_CA_FILE is .*, where nothing is mounted/,
  ],
  [
    "another service's certificate",
    `${BASE}/geo-data.yaml`,
    "secretName: internal-tls-geo-data",
    "secretName: internal-tls-geo",
    /geo-data: has the certificate of another service, internal-tls-geo/,
  ],
  [
    "a certificate with another service's name",
    `${OVERLAYS}/cert-manager/certificates.yaml`,
    "geo-data.geolookup.internal",
    "geo.geolookup.internal",
    /doesn't issue a certificate with geo-data's name/,
  ],
  [
    "files under other names",
    `${OVERLAYS}/production/settings.yaml`,
    "internal-tls/tls.crt",
    "internal-tls/cert.pem",
    /INTERNAL_TLS_CERT_FILE is .*, which isn't in the Secret/,
  ],
  [
    "an extra arrow",
    `${BASE}/network-policies.yaml`,
    "  egress: []",
    "  egress:\n    - to:\n        - podSelector: { matchLabels: { app.kubernetes.io/component: redis } }\n      ports:\n        - { port: 6379 }",
    /nothing is configured for: auth → redis:6379/,
  ],
  [
    "a missing arrow",
    `${BASE}/network-policies.yaml`,
    "- { port: 8082 }",
    "- { port: 8083 }",
    /don't allow what is configured: gateway → portal:8082/,
  ],
  [
    "an address without an arrow",
    `${BASE}/portal.yaml`,
    'OPS_TARGETS, value: "',
    'OPS_TARGETS, value: "geo-data=geo-data:8090,',
    /portal → geo-data:8090/,
  ],
  ["an arrow that the picture lacks", "docs/architecture.md", /\n.*--> redis.*/, "", /doesn't show .* gateway → redis/],
  [
    "another image",
    `${BASE}/geo.yaml`,
    "image: geolookup-geo",
    "image: geolookup-gateway",
    /its image must be geolookup-geo/,
  ],
  [
    "another version of NATS",
    `${OVERLAYS}/demo/kustomization.yaml`,
    "2.12-alpine",
    "2.9-alpine",
    /nats:2.9-alpine isn't in/,
  ],
  [
    "a gRPC target without pods' addresses",
    `${BASE}/geo.yaml`,
    "  clusterIP: None\n",
    "",
    /Service geo: must be headless/,
  ],
  [
    "both replicas and an autoscaler",
    `${BASE}/geo.yaml`,
    "minReadySeconds: 6",
    "replicas: 2\n  minReadySeconds: 6",
    /replicas must be unset/,
  ],
  [
    "a field that old kustomize lacks",
    `${OVERLAYS}/demo/kustomization.yaml`,
    "bases:",
    "components:",
    /components isn't known/,
  ],
  [
    "a Service for the edge port that doesn't exist",
    `${OVERLAYS}/edge-envoy-gateway/security-policy.yaml`,
    "name: gateway-edge",
    "name: edge",
    /SecurityPolicy geolookup: there is no Service edge with port 8090/,
  ],
  [
    "too many headers for Envoy Gateway",
    `${OVERLAYS}/edge-envoy-gateway/client-traffic-policy.yaml`,
    "        - X-Geo-Ip",
    "        - X-Geo-Metro-Code\n        - X-Geo-Ip",
    /spec.headers.earlyRequestHeaders.remove must NOT have more than 16 items/,
  ],
  [
    "a field that Traefik doesn't have",
    `${OVERLAYS}/edge-traefik/middlewares.yaml`,
    "authRequestHeaders",
    "requestHeaders",
    /requestHeaders isn't a field of/,
  ],
  ["alerts that changed", "infra/prometheus/alerts.yml", "> 0.01", "> 0.02", /prometheus-rule.yaml is out of date/],
];

describe("mistakes in infra/kubernetes that make lint finds", function () {
  this.timeout(60_000);
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

  it("none in this repository", async () => expect(await findProblems(read)).to.deep.equal([]));

  for (const [title, file, find, replace, message] of MISTAKES)
    it(title, async () => {
      const changed = read(file).replace(find, () => replace);
      expect(changed, "the mistake no longer applies").to.not.equal(read(file));
      const overlay = file.includes("/production/") ? "production" : "demo";
      const problems = await findProblems((path) => (path === file ? changed : read(path)), [overlay]);
      expect(problems.join("\n")).to.match(message);
    });
});
