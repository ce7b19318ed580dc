import { copyFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Authority } from "../../../../../../test/harness/certificates.ts";
import { tempFolder } from "../../../../../../test/harness/temp-folder.ts";
import { DEFAULT_IDENTITY_TEMPLATE, type Identity } from "../identities.ts";
import { nameOf } from "./internal-certificates.ts";

/** The INTERNAL_TLS files of a process, which a test replaces as an operator does. */
export function processFiles(identity: Identity, first: Authority) {
  const folder = tempFolder();
  const [caFile, certFile, keyFile] = ["ca.pem", "tls.pem", "tls.key"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const replace = (path: string, write: (path: string) => void) => {
    write(`${path}.new`);
    renameSync(`${path}.new`, path);
  };
  const files = {
    settings: { caFile, certFile, keyFile, identityTemplate: DEFAULT_IDENTITY_TEMPLATE },
    trust: (...authorities: Authority[]) =>
      replace(caFile, (path) => writeFileSync(path, authorities.map(({ ca }) => ca).join(""))),
    renew(authority: Authority) {
      const issued = authority.issue({ names: [nameOf(identity)] });
      replace(keyFile, (path) => copyFileSync(issued.keyFile, path));
      replace(certFile, (path) => copyFileSync(issued.certFile, path));
    },
  };
  files.trust(first);
  files.renew(first);
  return files;
}
