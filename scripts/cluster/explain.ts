import { recordService } from "@geolookup/shared/runtime/files/service-record.ts";
import { curlFor, quoteForShell } from "@geolookup/shared/runtime/shell.ts";
import type { ClusterAddresses } from "./addresses.ts";
import { docsUrlOf } from "./parts.ts";
import type { ClusterSettings } from "./settings.ts";

/** Prints how to use the cluster to standard error. Standard output stays machine-readable. */
export function explain(addresses: ClusterAddresses, settings: ClusterSettings): void {
  const { gateway } = addresses;
  const variables = Object.entries(operatorVariables(addresses, settings));
  const exports = variables.map(
    ([name, value]) => `${name}=${/^[\w.:/,=-]*$/.test(value) ? value : quoteForShell(value)}`,
  );
  const urls = [...new Set(gateway.map(({ url }) => `  ${curlFor(url)} '${url}/v1/geo'\n`))];
  const docsUrl = docsUrlOf(settings, Number(new URL(gateway[0]?.url ?? "").port));
  const hasConsole = settings.environment.CONSOLE !== "off";
  const pages = `The docs are at ${docsUrl}${hasConsole ? `, the console at ${docsUrl}/console, with ADMIN_TOKEN to sign in` : ""}.`;
  process.stderr.write(
    `\nThe cluster is up. Ctrl-C stops it.\n\n${urls.join("")}\n${pages}\n\nFor ./geolookup keys, doctor, smoke and the others:\n\n` +
      `  export ${exports.join(" ")}\n\n  ./geolookup keys issue --kind secret --plan paid\n\n`,
  );
}

/** Writes the same to the data folder, where commands find it. Disposing of it removes the file. */
export function recordCluster(addresses: ClusterAddresses, settings: ClusterSettings): Promise<Disposable> {
  const url = addresses.gateway[0]?.url ?? "";
  return recordService(
    {
      mode: "cluster",
      pid: process.pid,
      dataDir: settings.folder,
      url,
      docsUrl: docsUrlOf(settings, Number(new URL(url).port)),
      variables: operatorVariables(addresses, settings),
    },
    settings.servicesFolder,
    ({ message }) =>
      void process.stderr.write(`cluster: not listed for commands, so set DATA_DIR for them: ${message}\n`),
  );
}

/** The settings that operator commands need. */
function operatorVariables(
  { gateway, auth, geo, usage, portal, nats, redis, adminToken, operatorTls = {} }: ClusterAddresses,
  { signingKeysFile, environment }: ClusterSettings,
): Record<string, string> {
  const opsTargets = Object.entries({ gateway, auth, geo, usage, portal }).flatMap(([service, processes]) =>
    processes.map(({ ops }) => `${service}=${new URL(ops).host}`),
  );
  return {
    ...(nats ? { NATS_URL: nats.url } : {}),
    ...(redis ? { REDIS_URL: redis.url } : {}),
    AUTH_URL: auth[0]?.address ?? "",
    GEO_URL: `ipv4:${geo.map(({ address }) => address).join(",")}`,
    USAGE_URL: usage[0]?.address ?? "",
    ADMIN_TOKEN: adminToken,
    ...operatorTls,
    SIGNING_KEYS_FILE: signingKeysFile,
    API_URL: gateway[0]?.url ?? "",
    TRUST_PROXY: environment.TRUST_PROXY || "none",
    OPS_TARGETS: opsTargets.join(","),
  };
}
