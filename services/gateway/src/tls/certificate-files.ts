import { readFile } from "node:fs/promises";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { currentSignature, watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { type Certificate, outOfDate, readCertificate } from "@geolookup/shared/runtime/tls/certificate.ts";
import { Gauge, type Registry } from "@prometheus-io/client";

const POLL_INTERVAL_MS = 1_000;

/** Paths of PEM files. */
export interface CertificatePaths {
  certFile: string;
  keyFile: string;
}

/** The certificate in two files, reloaded when they change. */
export interface CertificateFiles extends AsyncDisposable {
  current(): Certificate;
  /** From now on, `use` is called with every new certificate. */
  onRenewed(use: (certificate: Certificate) => void): void;
}

/**
 * Reads certificate and key, and watches both files. While new ones don't match, are damaged or out of date, the old
 * ones stay in use; the problem is logged once, and shown in the metrics as long as it lasts. Files that change one after
 * the other are used when both have changed.
 * @throws StartError if they can't be used now. A certificate that is out of date is used, and logged.
 */
export async function openCertificateFiles(
  options: CertificatePaths & { clock: Clock; log: Logger; registry: Registry },
): Promise<CertificateFiles> {
  const { certFile, keyFile, clock, log } = options;
  const signature = await currentSignature([certFile, keyFile]);
  let current = await readCertificateFiles(options);
  const metrics = certificateMetrics(options.registry, () => current);
  let onRenewed: (certificate: Certificate) => void = () => {};
  let loggedProblem: string | undefined;

  const pollFiles = watchFiles({
    paths: [certFile, keyFile],
    signature,
    read: async () => {
      const found = await readFiles(options);
      const isNew = found.cert !== current.cert || found.key !== current.key;
      const problem = outOfDate(found, clock());
      if (isNew && problem) throw new Error(problem);
      return isNew ? found : current;
    },
    use: (found) => {
      metrics.refused.set(0);
      if (found === current) return;
      current = found;
      onRenewed(found);
      log.info({ certFile, expires: new Date(found.expiresMs).toISOString() }, "TLS certificate renewed");
    },
    onRefused: ({ message: reason }) => {
      metrics.refused.set(1);
      log.error({ certFile, keyFile, reason }, "new TLS certificate or key is invalid; the previous ones stay in use");
    },
    retriesRefused: true,
  });
  const poll = async () => {
    await pollFiles();
    const problem = outOfDate(current, clock());
    if (problem && problem !== loggedProblem)
      log.error({ certFile, keyFile, reason: problem }, "TLS certificate in use is out of date; replace it");
    loggedProblem = problem;
  };
  await poll();
  const polling = repeat(POLL_INTERVAL_MS, poll, log);
  return {
    current: () => current,
    onRenewed: (use) => {
      onRenewed = use;
    },
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  };
}

/** Reads certificate and key once. @throws StartError if they can't be used. */
export async function readCertificateFiles(paths: CertificatePaths): Promise<Certificate> {
  try {
    return await readFiles(paths);
  } catch (error) {
    const { certFile, keyFile } = paths;
    throw new StartError(`TLS_CERT_FILE ${certFile} and TLS_KEY_FILE ${keyFile}: ${(error as Error).message}`);
  }
}

async function readFiles({ certFile, keyFile }: CertificatePaths): Promise<Certificate> {
  const [chain, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
  return readCertificate(chain, key);
}

function certificateMetrics(registry: Registry, current: () => Certificate) {
  new Gauge({
    name: "geolookup_tls_certificate_expiry_timestamp_seconds",
    help: "When the TLS certificate in use expires, Unix seconds.",
    registers: [registry],
    collect() {
      this.set(current().expiresMs / 1000);
    },
  });
  const refused = new Gauge({
    name: "geolookup_tls_certificate_refused",
    help: "1 while the content of TLS_CERT_FILE and TLS_KEY_FILE is refused and an older certificate is in use.",
    registers: [registry],
  });
  return { refused };
}
