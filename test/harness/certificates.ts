import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./temp-folder.ts";

/** PEM files of a certificate chain and its key. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** A certificate authority of the tests' own, made at run time: no private key is ever committed. */
export interface Authority {
  caFile: string;
  /** Its certificate, PEM. */
  ca: string;
  /** Issues a certificate in files of its own: for this machine, by default, and for 10 days. */
  issue(options?: { names?: readonly string[]; days?: number }): CertificateFiles;
}

const THIS_MACHINE = ["IP:127.0.0.1", "DNS:localhost", "DNS:docs.localhost"];
const DAYS = 10;

/** Makes an authority, with `openssl` (3.0 or newer) from PATH. */
export function createAuthority(): Authority {
  const folder = tempFolder();
  const [caFile, caKeyFile] = [join(folder, "ca.pem"), join(folder, "ca.key")];
  make(["-keyout", caKeyFile, "-out", caFile, "-days", `${DAYS}`, "-subj", "/CN=authority of a test"]);
  let issued = 0;
  return {
    caFile,
    ca: readFileSync(caFile, "utf8"),
    issue({ names = THIS_MACHINE, days = DAYS } = {}) {
      issued += 1;
      const [certFile, keyFile] = [join(folder, `${issued}.pem`), join(folder, `${issued}.key`)];
      make([
        ...["-keyout", keyFile, "-out", certFile, "-days", `${days}`, "-subj", `/CN=certificate ${issued}`],
        ...["-CA", caFile, "-CAkey", caKeyFile, "-addext", "basicConstraints=critical,CA:FALSE"],
        ...(names.length > 0 ? ["-addext", `subjectAltName=${names.join(",")}`] : []),
      ]);
      return { certFile, keyFile };
    },
  };
}

let shared: Authority | undefined;

/** The authority that all clients of the suites trust. */
export function testAuthority(): Authority {
  shared ??= createAuthority();
  return shared;
}

function make(args: readonly string[]): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...key, ...args], { stdio: ["ignore", "ignore", "pipe"] });
}
