import type { GatewayConfig } from "./config.ts";
import { readCertificateFiles } from "./tls/certificate-files.ts";

/** Reads the certificate and its key, if there is to be TLS. @throws StartError when they cannot be used. */
export async function checkFiles({ tls }: GatewayConfig): Promise<void> {
  if (tls) await readCertificateFiles(tls);
}
