import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freshIpv4 } from "../../harness/addresses.ts";
import type { Deployment } from "../../harness/deployment.ts";
import { send } from "../../harness/http.ts";
import { keyAdministration } from "../../harness/key-commands.ts";
import { tempFolder } from "../../harness/temp-folder.ts";
import { sharedCluster } from "./suite.ts";

const SERVICES = ["gateway", "auth", "geo", "usage", "portal"];
const GATEWAYS = 2;
const MAX_OUTPUT_BYTES = 64 * 1_024 * 1_024;
/** DOCS_URL of the demo. */
const DOCS_HOST = "docs.localhost:8080";

/**
 * Runs the suites of `test/contract` on the shared cluster. It has one gateway, because several make quotas and limits per
 * second less exact.
 */
export async function startKubernetes(): Promise<Deployment> {
  const cluster = await sharedCluster();
  await scaleGateways(1);
  const url = await cluster.url();
  const [peer = ""] = await cluster.nodes();
  const pods = await cluster.pods();
  const addresses = (component: string, port: number) =>
    pods.filter((pod) => pod.component === component).map(({ address }) => `${address}:${port}`);
  const adminToken = readFileSync(join(cluster.secrets, "admin-token"), "utf8").trim();
  const logs = ["--selector", "app.kubernetes.io/name=geolookup", "--tail", "-1", "--max-log-requests", "50"];
  const noStop = async () => undefined;
  return {
    url,
    opsUrls: SERVICES.flatMap((service) => addresses(service, 9464)).map((at) => `http://${at}`),
    docsUrl: `http://${DOCS_HOST}`,
    docsHost: DOCS_HOST,
    portalUrl: `http://${addresses("portal", 8082)[0]}`,
    adminToken,
    dataDir: tempFolder(),
    peer,
    output: () =>
      execFileSync("kubectl", ["--namespace", "geolookup", "logs", ...logs], {
        encoding: "utf8",
        env: { ...process.env, ...cluster.environment },
        maxBuffer: MAX_OUTPUT_BYTES,
      }),
    send: ({ from = freshIpv4(), ...sent } = {}) =>
      send(url, from === null ? sent : { ...sent, headers: { "X-Forwarded-For": from, ...sent.headers } }),
    ...keyAdministration({
      AUTH_URL: `ipv4:${addresses("auth", 50052)}`,
      USAGE_URL: `ipv4:${addresses("usage", 50053)}`,
      ADMIN_TOKEN: adminToken,
      INTERNAL_TLS_CA_FILE: cluster.operatorFiles.caFile,
      INTERNAL_TLS_CERT_FILE: cluster.operatorFiles.certFile,
      INTERNAL_TLS_KEY_FILE: cluster.operatorFiles.keyFile,
    }),
    // The suites' last hook removes the cluster.
    stop: noStop,
    kill: noStop,
    [Symbol.asyncDispose]: noStop,
  };
}

/** Restores the shared cluster's gateways. */
export const endKubernetes = () => scaleGateways(GATEWAYS);

async function scaleGateways(count: number): Promise<void> {
  const cluster = await sharedCluster();
  await cluster.kubectl("scale", "statefulset/gateway", `--replicas=${count}`);
  await cluster.ready("gateway", count);
}
