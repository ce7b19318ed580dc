import { readFile } from "node:fs/promises";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { Gauge, type Registry } from "prom-client";
import { type Certificate, outOfDate, readCertificate } from "./certificate.ts";

const LOOK_EVERY_MS = 1_000;

/** Paths of PEM files. */
export interface CertificatePaths {
  certFile: string;
  keyFile: string;
}

/** The certificate in two files, kept up to date. */
export interface CertificateFiles {
  current(): Certificate;
  /** From now on `take` gets every certificate that takes the place of the one before. */
  onRenewed(take: (certificate: Certificate) => void): void;
  close(): Promise<void>;
}

/**
 * Reads certificate and key, and goes on looking at both files every second. New ones that do not fit
 * together, are damaged or out of date leave the old ones in use, said once in the log and in the
 * metrics for as long as it is so. Files that change one after the other are taken when both have.
 * @throws StartError when they cannot be used now. One that is out of date is used, and said to be so.
 */
export async function openCertificateFiles(
  options: CertificatePaths & { clock: Clock; log: Logger; registry: Registry },
): Promise<CertificateFiles> {
  const { certFile, keyFile, clock, log } = options;
  let current = await readCertificateFiles(options);
  const metrics = certificateMetrics(options.registry, () => current);
  let take: (certificate: Certificate) => void = () => {};
  let complaint = "";
  const complain = (reason: string, message: string) => {
    if (reason !== complaint) log.error({ certFile, keyFile, reason }, message);
    complaint = reason;
  };

  const look = async () => {
    try {
      const found = await readFiles(options);
      const isNew = found.cert !== current.cert || found.key !== current.key;
      const problem = outOfDate(found, clock());
      if (isNew && problem) throw new Error(problem);
      metrics.refused.set(0);
      if (problem) return complain(problem, "the TLS certificate in use is out of date; put a new one in its place");
      complaint = "";
      if (!isNew) return;
      current = found;
      take(found);
      log.info({ certFile, expires: new Date(found.expiresMs).toISOString() }, "the TLS certificate was renewed");
    } catch (error) {
      metrics.refused.set(1);
      complain(
        (error as Error).message,
        "the new TLS certificate or key is refused; the old ones stay in use until that is mended",
      );
    }
  };
  await look();
  const looking = repeat(LOOK_EVERY_MS, look, log);
  return {
    current: () => current,
    onRenewed: (taker) => {
      take = taker;
    },
    close: () => looking.close(),
  };
}

/** Reads certificate and key once. @throws StartError when they cannot be used. */
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
    help: "1 while what stands in TLS_CERT_FILE and TLS_KEY_FILE is refused and an older certificate is in use.",
    registers: [registry],
  });
  return { refused };
}
