import { type InternalTls, readInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { internalTlsSettings } from "@geolookup/shared/runtime/tls/settings.ts";

/** The operator's certificate for connections to services; null if none is set. @throws StartError if a file can't be used */
export function operatorTls(env: Parameters<typeof internalTlsSettings>[0]): InternalTls | null {
  const settings = internalTlsSettings(env);
  return settings && readInternalTls(settings, "operator");
}
