import { resolve } from "node:path";
import { recordService } from "@geolookup/shared/runtime/files/service-record.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { StandaloneConfig } from "./config.ts";

/** Writes where this service is and its effective settings, for operator commands. Disposing of it removes them. */
export function recordStandalone(
  { dataDir, publicPort, servicesFolder }: StandaloneConfig,
  { url, docsUrl, opsTarget, geoUrl }: { url: string; docsUrl: string; opsTarget: string; geoUrl: string },
  log: Logger,
): Promise<Disposable> {
  return recordService(
    {
      mode: "standalone",
      pid: process.pid,
      dataDir: resolve(dataDir),
      url,
      docsUrl,
      variables: {
        OPS_TARGETS: `standalone=${opsTarget}`,
        GEO_URL: geoUrl,
        TRUST_PROXY: publicPort.trustProxy,
      },
    },
    servicesFolder,
    (err) => log.info({ err }, "service not listed for commands; set DATA_DIR for them"),
  );
}
