import type { GatewayConfig } from "./config.ts";
import { readCertificateFiles } from "./tls/certificate-files.ts";

/** Checks the certificate and its key, if TLS is configured. @throws StartError if they are invalid. */
export async function checkFiles({ tls }: GatewayConfig): Promise<void> {
  if (tls) await readCertificateFiles(tls);
}
