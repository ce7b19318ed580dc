import { checkFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { checkInternalFiles } from "@geolookup/shared/runtime/tls/internal-files.ts";
import { journalFolder } from "./admission-parts.ts";
import type { GatewayConfig } from "./config.ts";
import { readCertificateFiles } from "./tls/certificate-files.ts";

/** Checks the data folder, and the files of TLS if it is configured. @throws StartError if they can't be used. */
export async function checkFiles(config: GatewayConfig): Promise<void> {
  const { tls, internalTls } = config;
  checkInternalFiles(internalTls, "gateway");
  checkFolder(journalFolder(config));
  if (tls) await readCertificateFiles(tls);
}
