import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./temp-folder.ts";

/** PEM files of a certificate chain and its key. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** The tests' own certificate authority, created at run time, so that no private key is committed. */
export interface Authority {
  caFile: string;
  /** Its certificate, PEM. */
  ca: string;
  /** Issues a certificate in new files, by default for this machine and 10 days. With -1 day, it has expired. */
  issue(options?: { names?: readonly string[]; days?: number }): CertificateFiles;
}

const THIS_MACHINE = ["IP:127.0.0.1", "DNS:localhost", "DNS:docs.localhost"];
const DAYS = 10;

/** Creates an authority with `openssl` (3.0 or newer) from PATH. */
export function createAuthority(): Authority {
  const folder = tempFolder();
  const [caFile, caKeyFile] = [join(folder, "ca.pem"), join(folder, "ca.key")];
  make(["-keyout", caKeyFile, "-out", caFile, "-days", `${DAYS}`, "-subj", "/CN=authority of a test"]);
  return authorityOf(caFile, caKeyFile);
}

/** The authority with an existing certificate and key. */
export function authorityOf(caFile: string, caKeyFile: string): Authority {
  const folder = tempFolder();
  let issued = 0;
  return {
    caFile,
    ca: readFileSync(caFile, "utf8"),
    issue({ names = THIS_MACHINE, days = DAYS } = {}) {
      issued += 1;
      const [certFile, keyFile] = [join(folder, `${issued}.pem`), join(folder, `${issued}.key`)];
      const [ca, validity] = [
        ["-CA", caFile, "-CAkey", caKeyFile],
        ["-days", `${days}`],
      ];
      const content = [
        ...["-subj", `/CN=certificate ${issued}`, "-addext", "basicConstraints=critical,CA:FALSE"],
        ...(names.length > 0 ? ["-addext", `subjectAltName=${names.join(",")}`] : []),
      ];
      if (days > 0) make(["-keyout", keyFile, "-out", certFile, ...validity, ...ca, ...content]);
      else {
        // `openssl req` can't create expired ones.
        const request = join(folder, `${issued}.csr`);
        openssl(["req", "-new", ...NEW_KEY, "-keyout", keyFile, "-out", request, ...content]);
        openssl(["x509", "-req", "-in", request, "-copy_extensions", "copy", "-out", certFile, ...validity, ...ca]);
      }
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

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function make(args: readonly string[]): void {
  openssl(["req", "-x509", ...NEW_KEY, ...args]);
}

function openssl(args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
}
