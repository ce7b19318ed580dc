import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freshIpv4 } from "../../harness/addresses.ts";
import type { Deployment, Settings } from "../../harness/deployment.ts";
import { send } from "../../harness/http.ts";
import { keyAdministration } from "../../harness/key-commands.ts";
import { tempFolder } from "../../harness/temp-folder.ts";
import { composeCluster } from "./compose-cluster.ts";
import { fixtureOptions } from "./fixtures.ts";

const SERVICES = ["gateway", "auth", "geo", "usage", "portal"];
const MAX_OUTPUT_BYTES = 64 * 1_024 * 1_024;

/**
 * Starts the product with Docker Compose, as one more way in which the suites of `test/contract` can run it. The
 * gateway trusts the suites' addresses as proxies.
 * @param settings those of a deployment: SIGNING_KEYS_FILE names a ring to start with, the others go into .env.
 */
export async function startCompose({ SIGNING_KEYS_FILE: ring, ...settings }: Settings = {}): Promise<Deployment> {
  const cluster = await composeCluster(fixtureOptions(settings));
  if (ring !== undefined) {
    mkdirSync(join(cluster.secrets, "signing"), { recursive: true });
    copyFileSync(ring, join(cluster.secrets, "signing/signing-keys.json"));
  }
  await cluster.make("up");
  // As with `make cluster` in these suites: if a node is late on a busy machine, another one takes over.
  await cluster.make("scale", "geo=2");
  const addresses = async (service: string, port: number) =>
    (await cluster.healthy(service)).map(({ address }) => `${address}:${port}`);
  const adminToken = readFileSync(join(cluster.secrets, "admin-token"), "utf8").trim();
  const operator = cluster.certificateOf("operator");
  const docsHost = `docs.localhost:${cluster.environment.PORT}`;
  return {
    url: cluster.url,
    opsUrls: (await Promise.all(SERVICES.map((service) => addresses(service, 9464))))
      .flat()
      .map((at) => `http://${at}`),
    docsUrl: `http://${docsHost}`,
    docsHost,
    portalUrl: `http://${(await addresses("portal", 8082))[0]}`,
    adminToken,
    dataDir: tempFolder(),
    peer: `${cluster.environment.NETWORK_PREFIX}.253.1`,
    output: () =>
      execFileSync("docker", ["compose", "--project-name", cluster.project, "logs", "--no-color"], {
        encoding: "utf8",
        maxBuffer: MAX_OUTPUT_BYTES,
      }),
    send: ({ from = freshIpv4(), ...sent } = {}) =>
      send(cluster.url, from === null ? sent : { ...sent, headers: { "X-Forwarded-For": from, ...sent.headers } }),
    ...keyAdministration({
      AUTH_URL: `ipv4:${await addresses("auth", 50052)}`,
      USAGE_URL: `ipv4:${await addresses("usage", 50053)}`,
      ADMIN_TOKEN: adminToken,
      INTERNAL_TLS_CA_FILE: operator.caFile,
      INTERNAL_TLS_CERT_FILE: operator.certFile,
      INTERNAL_TLS_KEY_FILE: operator.keyFile,
    }),
    stop: () => cluster.destroy(),
    kill: () => cluster.destroy(),
    [Symbol.asyncDispose]: () => cluster.destroy(),
  };
}
