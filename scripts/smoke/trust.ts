import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AgentOptions } from "node:https";
import { createSecureContext, getCACertificates } from "node:tls";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { CommandLineError } from "../command-line.ts";

/** How to check a deployment's certificate. */
export type Trust = Pick<AgentOptions, "secureContext" | "rejectUnauthorized">;

/**
 * @param caFile PEM file of an authority to trust in addition to the public ones.
 * @param insecure whether to check no certificate at all.
 * @throws CommandLineError if both are given; StartError if the file has no certificate.
 */
export function trustOf(caFile: string | undefined, insecure: boolean): Trust {
  if (insecure) {
    if (caFile !== undefined) throw new CommandLineError("--ca and --insecure can't be combined");
    return { rejectUnauthorized: false };
  }
  if (caFile === undefined) return {};
  try {
    const ca = readFileSync(caFile, "utf8");
    // TLS ignores anything that isn't a certificate.
    new X509Certificate(ca);
    return { secureContext: createSecureContext({ ca: [...getCACertificates("default"), ca] }) };
  } catch (error) {
    throw new StartError(`--ca: can't use ${caFile} as a PEM certificate: ${(error as Error).message}`);
  }
}

/** What to do about a connection error, if it's about the certificate; otherwise null. */
export function adviceOn(error: NodeJS.ErrnoException): string | null {
  return /CERT|^UNABLE_TO|^HOSTNAME_MISMATCH|^INVALID_CA/.test(error.code ?? "")
    ? "Trust its authority with --ca FILE, or skip the check with --insecure"
    : null;
}
