import type { PeerCertificate, SecureContext } from "node:tls";
import { Gauge, type Registry } from "@prometheus-io/client";
import type { Clock } from "../../domain/clock.ts";
import { currentSignature, watchFiles } from "../files/watch-files.ts";
import type { Logger } from "../observability/log.ts";
import { repeat } from "../service/lifecycle.ts";
import { outOfDate } from "./certificate.ts";
import { altNameOf, type Identity, identitiesIn } from "./identities.ts";
import { type InternalFiles, loadInternalFiles, readInternalFiles } from "./internal-files.ts";
import type { InternalTlsSettings } from "./settings.ts";

const POLL_INTERVAL_MS = 1_000;

/** This process's certificate, and the CAs that it trusts, for connections between processes. */
export interface InternalTls {
  readonly identityTemplate: string;
  current(): InternalFiles;
  /** Registers `use`, which is called when the files have been reloaded. */
  onRenewed(use: () => void): void;
}

/** Internal TLS of a command, which ends before its certificate changes. @throws StartError if a file can't be used. */
export function readInternalTls(settings: InternalTlsSettings, own: Identity): InternalTls {
  const files = loadInternalFiles(settings, own);
  return { identityTemplate: settings.identityTemplate, current: () => files, onRenewed: () => {} };
}

/**
 * Internal TLS of a service. The files are reloaded when they change, for new connections. While new ones don't match, are damaged,
 * expired or another service's, the old ones stay in use; the problem is logged once, and metrics show it while it lasts.
 * @param settings null or undefined: none.
 * @param own the service.
 * @param context.pollIntervalMs for tests: how often the files are checked.
 * @throws StartError if a file can't be used. A certificate that is out of date is used, and logged.
 */
export async function openInternalTls(
  settings: InternalTlsSettings | null | undefined,
  own: Identity,
  context: { clock: Clock; log: Logger; registry: Registry; pollIntervalMs?: number },
): Promise<(InternalTls & AsyncDisposable) | null> {
  if (!settings) return null;
  const { clock, log, registry, pollIntervalMs = POLL_INTERVAL_MS } = context;
  const { identityTemplate, ...paths } = settings;
  const signature = await currentSignature(Object.values(paths));
  let current = loadInternalFiles(settings, own);
  const renewed: (() => void)[] = [];
  let loadedMs = clock();
  const setRefused = exposeCertificates(registry, () => ({ ...current, loadedMs }));
  let loggedProblem: string | undefined;

  const pollFiles = watchFiles({
    paths: Object.values(paths),
    signature,
    read: () => {
      const found = readInternalFiles(settings, own);
      const problem = outOfDate(found, clock());
      if (problem && found.cert !== current.cert) throw new Error(problem);
      return found;
    },
    use: (found) => {
      setRefused(false);
      current = found;
      loadedMs = clock();
      for (const use of renewed) use();
      const expires = new Date(found.expiresMs).toISOString();
      log.info({ ...paths, expires }, "internal TLS files reloaded");
    },
    onRefused: ({ message: reason }) => {
      setRefused(true);
      log.error({ ...paths, reason }, "new internal TLS files are invalid; the previous ones stay in use");
    },
    retriesRefused: true,
  });
  const poll = async () => {
    await pollFiles();
    const problem = outOfDate(current, clock());
    if (problem && problem !== loggedProblem)
      log.error({ ...paths, reason: problem }, "internal TLS certificate in use is out of date; replace it");
    loggedProblem = problem;
  };
  await poll();
  const polling = repeat(pollIntervalMs, poll, log);
  return {
    identityTemplate,
    current: () => current,
    onRenewed: (use) => void renewed.push(use),
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  };
}

function exposeCertificates(
  registry: Registry,
  current: () => InternalFiles & { loadedMs: number },
): (isRefused: boolean) => void {
  new Gauge({
    name: "geolookup_internal_tls_certificate_expiry_timestamp_seconds",
    help: "When a certificate for connections between processes expires, Unix seconds, by file.",
    labelNames: ["file"],
    registers: [registry],
    collect() {
      const { expiresMs, caExpiresMs } = current();
      this.reset();
      this.set({ file: "certificate" }, expiresMs / 1_000);
      if (caExpiresMs !== null) this.set({ file: "ca" }, caExpiresMs / 1_000);
    },
  });
  new Gauge({
    name: "geolookup_internal_tls_files_loaded_timestamp_seconds",
    help: "When the INTERNAL_TLS files in use were loaded, Unix seconds.",
    registers: [registry],
    collect() {
      this.set(current().loadedMs / 1_000);
    },
  });
  const refused = new Gauge({
    name: "geolookup_internal_tls_files_refused",
    help: "1 while the content of the INTERNAL_TLS files is refused and older files are in use.",
    registers: [registry],
  });
  return (isRefused) => refused.set(Number(isRefused));
}

/**
 * The TLS options of connections to a service. The server must have that service's certificate, regardless of the address or name
 * of the connection. Each new connection uses the current files.
 */
export function connectOptions({ identityTemplate, current }: InternalTls, service: Identity) {
  const secureContext: SecureContext = {
    get context() {
      return current().context.context;
    },
  };
  return {
    secureContext,
    // Node warns about server names that are IP addresses, and SPIFFE IDs can't be server names.
    servername: `${service}.geolookup.internal`,
    rejectUnauthorized: true,
    checkServerIdentity: (_host: string, { subjectaltname }: PeerCertificate) =>
      identitiesIn(subjectaltname, identityTemplate).includes(service)
        ? undefined
        : new Error(
            `the server's certificate isn't ${service}'s: its subjectAltName must have ` +
              `${altNameOf(service, identityTemplate)} (it has ${subjectaltname ?? "no names"})`,
          ),
  };
}
