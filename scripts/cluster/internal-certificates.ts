import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import {
  altNameOf,
  DEFAULT_IDENTITY_TEMPLATE,
  IDENTITIES,
  type Identity,
} from "@geolookup/shared/runtime/tls/identities.ts";

const DAYS = "30";

/** The variables of internal TLS, for a process or the operator. */
export function internalTlsVariables(folder: string, identity: Identity): Record<string, string> {
  return {
    INTERNAL_TLS_CA_FILE: join(folder, "ca.pem"),
    INTERNAL_TLS_CERT_FILE: join(folder, `${identity}.pem`),
    INTERNAL_TLS_KEY_FILE: join(folder, `${identity}.key`),
    INTERNAL_TLS_IDENTITY: DEFAULT_IDENTITY_TEMPLATE,
  };
}

/** Whether the processes of a kind have a certificate. The stores have none. */
export function isIdentity(kind: string): kind is Identity {
  return (IDENTITIES as readonly string[]).includes(kind);
}

/**
 * Creates a CA and a certificate for each service and the operator, valid for 30 days, with `openssl` from PATH. The CA's key isn't
 * kept.
 * @param folder replaced if it exists.
 * @throws StartError if there is no openssl, or it fails.
 */
export function makeInternalCertificates(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [ca, caKey] = [join(folder, "ca.pem"), join(folder, "ca.key")];
  openssl(["req", "-x509", ...NEW_KEY, "-keyout", caKey, "-out", ca, "-days", DAYS, "-subj", "/CN=geolookup cluster"]);
  for (const identity of IDENTITIES) {
    const [request, extensions] = [join(folder, "request.csr"), join(folder, "extensions")];
    const key = join(folder, `${identity}.key`);
    writeFileSync(
      extensions,
      `basicConstraints=critical,CA:FALSE\nsubjectAltName=${altNameOf(identity, DEFAULT_IDENTITY_TEMPLATE)}\n`,
    );
    openssl(["req", "-new", ...NEW_KEY, "-keyout", key, "-out", request, "-subj", `/CN=${identity}`]);
    const serial = `0x7${randomBytes(10).toString("hex")}`;
    // In two steps, because LibreSSL and OpenSSL before 3.0 can't sign in one.
    openssl([
      ...["x509", "-req", "-in", request, "-out", join(folder, `${identity}.pem`), "-days", DAYS],
      ...["-CA", ca, "-CAkey", caKey, "-set_serial", serial, "-extfile", extensions],
    ]);
    chmodSync(key, 0o600);
    for (const path of [request, extensions]) rmSync(path);
  }
  rmSync(caKey);
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function openssl(args: readonly string[]): void {
  try {
    execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new StartError("INTERNAL_TLS=on creates certificates with openssl, which isn't in PATH");
    throw new StartError(`openssl couldn't create the certificates for INTERNAL_TLS=on: ${message}`);
  }
}
