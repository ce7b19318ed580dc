import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { runKubernetesSecrets } from "./run.ts";
import { secretManifests } from "./secret-manifests.ts";

describe("make kubernetes-secrets", () => {
  it("writes what Compose has, for its owner alone, and the same again when run twice", async () => {
    const folder = join(tempFolder(), "secrets");
    const environment = { ...process.env, SECRETS_DIR: folder, ENV_FILE: join(folder, "../env") };
    const write = async () => {
      await runKubernetesSecrets({ args: [], environment, print: () => {}, printError: () => {} });
      return readFileSync(join(folder, "kubernetes/secrets.json"), "utf8");
    };
    const text = await write();
    expect(await write()).to.equal(text);
    expect(statSync(join(folder, "kubernetes/secrets.json")).mode & 0o777).to.equal(0o600);
    expect(statSync(join(folder, "kubernetes")).mode & 0o777).to.equal(0o700);
    const { items } = JSON.parse(text);
    const token = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === "admin-token");
    expect(Buffer.from(token.data["admin-token"], "base64").toString()).to.equal(
      readFileSync(join(folder, "admin-token"), "utf8"),
    );
    expect(token.metadata.namespace).to.equal("geolookup");
  });

  it("names everything that is missing", () => {
    expect(() => secretManifests("geolookup", (path) => (path === "admin-token" ? Buffer.from("x") : null))).to.throw(
      /^missing in the secrets folder: backup-key, ip-hash-secret, .*signing\/signing-keys\.json$/,
    );
  });

  it("includes certificates that are there, and refuses a certificate without its key", () => {
    const read = (files: readonly string[]) => (path: string) =>
      path.startsWith("internal-tls/") ? (files.includes(path.slice(13)) ? Buffer.from(path) : null) : Buffer.from("x");
    const named = secretManifests("other", read(["ca.pem", "geo.pem", "geo.key"])).find(
      ({ metadata }) => metadata.name === "internal-tls-geo",
    );
    expect(named?.metadata.namespace).to.equal("other");
    expect(Object.keys(named?.data ?? {})).to.deep.equal(["tls.crt", "tls.key", "ca.crt"]);
    expect(() => secretManifests("other", read(["ca.pem", "geo.pem"]))).to.throw(/internal-tls\/geo\.key/);
  });
});
