import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AgentOptions } from "node:https";
import { createSecureContext, getCACertificates } from "node:tls";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { CommandLineError } from "../command-line.ts";

/** How a deployment's certificate is checked. */
export type Trust = Pick<AgentOptions, "secureContext" | "rejectUnauthorized">;

/**
 * @param caFile PEM of an authority that is trusted besides the public ones.
 * @param insecure whether certificates are not checked at all.
 * @throws CommandLineError when both are wanted; StartError when there is no certificate in the file.
 */
export function trustOf(caFile: string | undefined, insecure: boolean): Trust {
  if (insecure) {
    if (caFile !== undefined) throw new CommandLineError("--ca and --insecure do not go together");
    return { rejectUnauthorized: false };
  }
  if (caFile === undefined) return {};
  try {
    const ca = readFileSync(caFile, "utf8");
    // TLS ignores anything that isn't a certificate.
    new X509Certificate(ca);
    return { secureContext: createSecureContext({ ca: [...getCACertificates("default"), ca] }) };
  } catch (error) {
    throw new StartError(`--ca: there is no authority's certificate (PEM) in ${caFile}: ${(error as Error).message}`);
  }
}

/** What to do about an error of a connection that has to do with the certificate; otherwise nothing. */
export function adviceOn(error: NodeJS.ErrnoException): string {
  return /CERT|^UNABLE_TO|^HOSTNAME_MISMATCH|^INVALID_CA/.test(error.code ?? "")
    ? ". Name the file of its authority with --ca FILE, or leave the certificate unchecked with --insecure"
    : "";
}
