import type { z } from "zod";
import { pemFile } from "../env/env.ts";

/** The variables of TLS between this deployment's processes. The three files are only valid together. */
export const INTERNAL_TLS_VARIABLES = {
  INTERNAL_TLS_CA_FILE: pemFile().optional(),
  INTERNAL_TLS_CERT_FILE: pemFile().optional(),
  INTERNAL_TLS_KEY_FILE: pemFile().optional(),
};

export interface InternalTlsSettings {
  /** One or more CA certificates. */
  caFile: string;
  /** The process's own certificate, then intermediate ones. */
  certFile: string;
  keyFile: string;
}

/** The settings of a parsed environment; null: no TLS between processes. */
export function internalTlsSettings(
  env: z.infer<z.ZodObject<typeof INTERNAL_TLS_VARIABLES>>,
): InternalTlsSettings | null {
  const { INTERNAL_TLS_CA_FILE: caFile, INTERNAL_TLS_CERT_FILE: certFile, INTERNAL_TLS_KEY_FILE: keyFile } = env;
  if (caFile === undefined || certFile === undefined || keyFile === undefined) return null;
  return { caFile, certFile, keyFile };
}
