import { checkInternalFiles } from "@geolookup/shared/runtime/tls/internal-files.ts";
import type { GatewayConfig } from "./config.ts";
import { readCertificateFiles } from "./tls/certificate-files.ts";

/** Checks the files of TLS, if it is configured. @throws StartError if they are invalid. */
export async function checkFiles({ tls, internalTls }: GatewayConfig): Promise<void> {
  checkInternalFiles(internalTls, "gateway");
  if (tls) await readCertificateFiles(tls);
}
