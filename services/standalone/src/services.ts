import { join, resolve } from "node:path";
import { openAuth } from "@geolookup/auth/auth.ts";
import { adminServices } from "@geolookup/auth/rpc/admin-services.ts";
import { openEdgePort } from "@geolookup/gateway/edge/edge-port.ts";
import { memoryHourlyLimit } from "@geolookup/gateway/limits/hourly/memory-limit.ts";
import { openMeter } from "@geolookup/gateway/limits/monthly/meter.ts";
import { createKeyRates } from "@geolookup/gateway/limits/rates/key-rates.ts";
import { hostInUrl, openPublicPort } from "@geolookup/gateway/public-port.ts";
import { openFileRefusalLog, startRefusals } from "@geolookup/gateway/responses/refusals.ts";
import { geoService } from "@geolookup/geo/geo-service.ts";
import type { OpenedLocator } from "@geolookup/geo/locator.ts";
import { type ConsoleChoice, withoutTls } from "@geolookup/portal/console/settings.ts";
import { type DeploymentInfo, deriveApiUrl } from "@geolookup/portal/deployment/deployment-info.ts";
import { createReportParser } from "@geolookup/portal/deployment/kept-report.ts";
import { openPortal } from "@geolookup/portal/server.ts";
import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { openFileUsageLog } from "@geolookup/shared/logs/usage/file/usage-log.ts";
import { recordService } from "@geolookup/shared/runtime/files/service-record.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Operations } from "@geolookup/shared/runtime/service/operations.ts";
import { totalsService, usageService } from "@geolookup/usage/rpc.ts";
import { keyUsageOf, openUsage } from "@geolookup/usage/usage.ts";
import { openAdminPort } from "./admin-port.ts";
import type { StandaloneConfig } from "./config.ts";
import { createDataCommands, startDataRefresh } from "./data-processes.ts";
import { issueDemoKeys, openSiteKey } from "./demo-keys.ts";
import { welcome } from "./welcome.ts";

/**
 * Opens every service but the locator, on embedded stores in `dataDir`, and lastly the public port.
 * @param locator opened and closed by the caller, as are the operations.
 * @throws StartError
 */
export async function openServices(
  config: StandaloneConfig,
  { log, registry, opsPort, setReady }: Operations,
  locator: OpenedLocator,
): Promise<AsyncDisposable> {
  const { dataDir, databases, plansFile, signingKeysFile, publicPort: publicPortConfig } = config;
  const clock = systemClock;
  await using opened = new AsyncDisposableStack();
  const usageLog = opened.use(await openFileUsageLog({ folder: join(dataDir, "usage-log"), clock, log, registry }));
  const refusalLog = await openFileRefusalLog(dataDir, { opened, clock, log, registry });
  const refusals = opened.use(startRefusals({ refusalLog, clock, log }));
  const usage = opened.use(await openUsage({ usageLog, monthLog: usageLog, refusalLog, log, clock }));
  const keyUsage = keyUsageOf(usage);
  const auth = opened.use(
    await openAuth({
      ...{ dataDir, plansFile, signingKeysFile, keepsGrants: true, keyUsage, log, registry, clock },
      isOnlyProcess: true,
      auditRetentionMs: config.auditRetentionMs,
      printAudit: config.printsAudit ? (line) => void process.stdout.write(line) : null,
    }),
  );
  const meter = opened.use(await openMeter({ folder: join(dataDir, "journals"), usageLog, clock, log, registry }));
  // Known once the public port is open. Nothing reads them before.
  let addresses: Pick<DeploymentInfo, "docsUrl" | "apiUrl"> = { docsUrl: null, apiUrl: null };
  let demoKey = () => config.demoKey;
  const keyless = {
    hourlyLimit: publicPortConfig.keyless ? publicPortConfig.keylessLimit : null,
    ipv6Prefix: publicPortConfig.ipv6LimitPrefix,
  };
  const parseReport = createReportParser(clock);
  const deployment = (): DeploymentInfo => ({
    ...addresses,
    demoKey: demoKey(),
    keyless,
    site: config.site,
    securityContacts: config.securityContacts,
    plans: auth.plans.current,
    databases: async () => locator.databases(),
    nextRefreshAt: async () => {
      const { isRefreshed, refresh } = await locator.dataStatus();
      return (isRefreshed && refresh?.nextRunAt) || null;
    },
    report: async () => parseReport(await locator.report()),
  });
  const adminPort = opened.use(
    await openAdminPort({
      dataDir,
      adminToken: config.adminToken,
      services: (adminToken) => [
        ...adminServices(auth, adminToken),
        usageService({ usage, adminToken }),
        totalsService(usage),
        geoService(locator),
      ],
      log,
      registry,
    }),
  );
  const opsTarget = `${hostInUrl(publicPortConfig.host)}:${opsPort}`;
  // Operators replace their own files themselves.
  const dataCommands = config.hasConsole && "installedIn" in databases ? opened.use(createDataCommands()) : null;
  const { address, token } = adminPort;
  const targets = { authUrl: address, usageUrl: address, geoUrl: address, adminToken: token };
  const opsTargets = [{ service: "standalone", target: opsTarget }];
  const { trustProxy } = publicPortConfig;
  const { signIn } = config;
  const console: ConsoleChoice = config.hasConsole
    ? { ...targets, signIn, trustProxy, dataCommands, opsTargets }
    : "off";
  const forOthers = { adminApi: config.adminApi, services: targets };
  const portal = opened.use(
    await openPortal({ host: "127.0.0.1", port: 0, deployment, console, forOthers, log, registry }),
  );
  const hourlyLimit = opened.use(
    memoryHourlyLimit({
      limit: publicPortConfig.keylessLimit,
      ipv6Prefix: publicPortConfig.ipv6LimitPrefix,
      clock,
      registry,
    }),
  );
  const publicPort = opened.use(
    await openPublicPort(
      publicPortConfig,
      { authorizer: auth.authorizer, refusals, locator, meter, hourlyLimit, keyRates: createKeyRates({ clock }) },
      { log, registry, setReady, clock, portalUrl: `http://127.0.0.1:${portal.port}` },
    ),
  );
  const { docsUrl } = publicPort;
  const edge = opened.use(await openEdgePort(publicPortConfig, { locator }, { log, registry, clock, docsUrl }));
  const downloads = ("installedIn" in databases && databases.isRefreshed) || config.downloadsGeofeeds;
  if (downloads || config.hasConsole) opened.use(startDataRefresh(log, { onlyReports: !downloads }));
  const demoKeys = await issueDemoKeys(auth.admin, auth.plans.current());
  const { origin } = new URL(docsUrl);
  const file = join(dataDir, "demo-key.json");
  if (config.demoKey === null)
    demoKey = await openSiteKey({ file, admin: auth.admin, plans: auth.plans.current(), origin, log });
  addresses = { docsUrl, apiUrl: config.apiUrl ?? deriveApiUrl(docsUrl) };
  const { url } = publicPort;
  opened.use(await recordStandalone(config, { url, docsUrl, opsTarget, geoUrl: adminPort.address }, log));
  const adminFile = config.hasConsole ? adminPort.file : null;
  process.stdout.write(
    welcome({
      url: publicPort.url,
      docsUrl,
      adminFile,
      dataDir,
      trustProxy: publicPortConfig.trustProxy,
      devAddress: publicPortConfig.devAddress,
      demoKeys,
      plans: [...auth.plans.current().keys()],
      servesKeyless: publicPortConfig.keyless,
      databases: locator.databases(),
    }),
  );
  const warning = withoutTls(console, docsUrl);
  if (warning !== null) log.warn(warning);
  const { port: portalPort, adminApiPort } = portal;
  const ports = { port: publicPort.port, opsPort, portalPort, ...(adminApiPort && { adminApiPort }), ...edge.ports };
  log.info(ports, "ready");

  return opened.move();
}

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
