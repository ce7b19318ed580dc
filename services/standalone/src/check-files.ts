import { checkEmbeddedFiles } from "@geolookup/auth/check-files.ts";
import { readCertificateFiles } from "@geolookup/gateway/tls/certificate-files.ts";
import { checkData } from "@geolookup/geo/check-files.ts";
import { checkFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import type { StandaloneConfig } from "./config.ts";

/** Checks the data folder and the files that the settings name. @throws StartError when one can't be used. */
export async function checkFiles(config: StandaloneConfig): Promise<void> {
  checkFolder(config.dataDir);
  checkEmbeddedFiles(config);
  const { tls } = config.publicPort;
  if (tls) await readCertificateFiles(tls);
  await checkData(config);
}
