import { z } from "zod";
import { pemFile } from "../env/env.ts";
import { DEFAULT_IDENTITY_TEMPLATE, isIdentityTemplate } from "./identities.ts";

/** The variables of TLS between this deployment's processes. The three files are only valid together. */
export const INTERNAL_TLS_VARIABLES = {
  INTERNAL_TLS_CA_FILE: pemFile().optional(),
  INTERNAL_TLS_CERT_FILE: pemFile().optional(),
  INTERNAL_TLS_KEY_FILE: pemFile().optional(),
  INTERNAL_TLS_IDENTITY: z
    .string()
    .refine(
      isIdentityTemplate,
      "must be a DNS name or a SPIFFE ID with one {service}, e.g. {service}.geolookup.internal or " +
        "spiffe://cluster.local/ns/geolookup/sa/{service}",
    )
    .default(DEFAULT_IDENTITY_TEMPLATE),
};

export interface InternalTlsSettings {
  /** One or more CA certificates. */
  caFile: string;
  /** The process's own certificate, then intermediate ones. */
  certFile: string;
  keyFile: string;
  /** The name in certificates that identifies a service, with `{service}` in place of the service's name. */
  identityTemplate: string;
}

/** The settings of a parsed environment; null: no TLS between processes. */
export function internalTlsSettings(
  env: z.infer<z.ZodObject<typeof INTERNAL_TLS_VARIABLES>>,
): InternalTlsSettings | null {
  const { INTERNAL_TLS_CA_FILE: caFile, INTERNAL_TLS_CERT_FILE: certFile, INTERNAL_TLS_KEY_FILE: keyFile } = env;
  if (caFile === undefined || certFile === undefined || keyFile === undefined) return null;
  return { caFile, certFile, keyFile, identityTemplate: env.INTERNAL_TLS_IDENTITY };
}
