import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWorld } from "../../fixtures/databases.ts";
import { writePlans } from "../../fixtures/plans.ts";
import { testAuthority } from "../../harness/certificates.ts";
import { startCluster } from "../../harness/cluster.ts";
import type { Deployment, Settings } from "../../harness/deployment.ts";
import { startHaproxy } from "../../harness/haproxy-server.ts";
import { tlsSettings } from "../../harness/settings.ts";
import { startStandalone } from "../../harness/standalone.ts";
import { tempFolder } from "../../harness/temp-folder.ts";
import type { Inside, Target } from "./target.ts";

/** Of the key, in requests per month: more than any attack can send. */
const QUOTA = 1_000_000_000;

/** How the product runs. */
const START = {
  standalone: startStandalone,
  cluster: (settings: Settings) => startCluster({ GATEWAYS: "1", ...settings }),
};

export interface StartOptions {
  way: keyof typeof START;
  isTls: boolean;
  /** Whether HAProxy is in front of it, with the product's configuration. */
  isBehindHaproxy: boolean;
  settings?: Settings;
}

/** A running target, and the text of its signing keys. */
export interface StartedTarget extends Target, AsyncDisposable {
  ringText: string;
}

/** Starts a target on invented databases, which attacks may replace. */
export async function startTarget({ way, isTls, isBehindHaproxy, settings }: StartOptions): Promise<StartedTarget> {
  await using opened = new AsyncDisposableStack();
  const signingKeysFile = join(tempFolder(), "signing-keys.json");
  const databases = writeWorld(tempFolder());
  const environment = {
    SIGNING_KEYS_FILE: signingKeysFile,
    GEO_DATABASES: databases,
    PLANS_FILE: writePlans(tempFolder(), { paid: { fields: "paid", monthlyRequests: QUOTA } }),
    ...(isTls && !isBehindHaproxy ? tlsSettings() : {}),
    ...settings,
  };
  const deployment: Deployment & { grpc?: Inside["grpc"] } = await START[way](environment);
  // Killed, not stopped: an attack may have made it hang.
  opened.defer(() => deployment.kill());
  const { issueKey, keys, output, opsUrls, docsUrl, docsHost, adminToken } = deployment;
  const haproxy = isBehindHaproxy
    ? opened.use(await startHaproxy({ gatewayPort: Number(new URL(deployment.url).port), docsUrl, isTls }))
    : null;
  const { key } = await issueKey({ kind: "secret", plan: "paid" });
  const held = opened.move();
  return {
    name: `${way}${isTls ? " over TLS" : ""}${haproxy ? " behind HAProxy" : ""}`,
    url: haproxy?.url ?? deployment.url,
    isBehindHaproxy,
    ca: isTls ? testAuthority().ca : null,
    ...{ docsUrl, docsHost, adminToken, key },
    inside: {
      ...{ issueKey, keys, output, opsUrls },
      grpc: deployment.grpc ?? {},
      database: databases.split(",")[0] ?? "",
    },
    ringText: readFileSync(signingKeysFile, "utf8"),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
