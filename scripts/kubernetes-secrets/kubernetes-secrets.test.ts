import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { IDENTITIES } from "@geolookup/shared/runtime/tls/identities.ts";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { runKubernetesSecrets, secretManifests } from "./run.ts";

describe("./geolookup kubernetes secrets", () => {
  it("writes the secrets of Docker Compose, readable only by their owner, and the same ones when run again", async () => {
    const folder = join(tempFolder(), "secrets");
    const environment = { ...process.env, SECRETS_DIR: folder, ENV_FILE: join(folder, "../env") };
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    const write = async () => {
      await runKubernetesSecrets({ environment, print: () => {}, printError: () => {} });
      return read("kubernetes/secrets.json") + read("kubernetes/internal-tls.json");
    };
    const text = await write();
    expect(await write()).to.equal(text);
    for (const name of ["secrets", "internal-tls"])
      expect(statSync(join(folder, `kubernetes/${name}.json`)).mode & 0o777).to.equal(0o600);
    expect(statSync(join(folder, "kubernetes")).mode & 0o777).to.equal(0o700);
    const { items } = JSON.parse(read("kubernetes/secrets.json"));
    const token = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === "admin-token");
    expect(Buffer.from(token.data["admin-token"], "base64").toString()).to.equal(
      readFileSync(join(folder, "admin-token"), "utf8"),
    );
    expect(token.metadata.namespace).to.equal("geolookup");
    const certificates = JSON.parse(read("kubernetes/internal-tls.json")).items;
    for (const identity of IDENTITIES) {
      const name = `internal-tls-${identity}`;
      const { data } = certificates.find(({ metadata }: { metadata: { name: string } }) => metadata.name === name);
      const files = { "ca.crt": "ca.pem", "tls.crt": "cert.pem", "tls.key": "key.pem" };
      for (const [key, file] of Object.entries(files))
        expect(Buffer.from(data[key], "base64").toString()).to.equal(read(`internal-tls/${identity}/${file}`));
    }
  });

  it("names everything that is missing", () => {
    expect(() => secretManifests("geolookup", (path) => (path === "admin-token" ? Buffer.from("x") : null))).to.throw(
      /^missing in the secrets folder: backup-key, ip-hash-secret, .*signing\/signing-keys\.json$/,
    );
  });

  it("includes existing certificates, and refuses a certificate without its key", () => {
    const read = (files: readonly string[]) => (path: string) =>
      path.startsWith("internal-tls/") ? (files.includes(path.slice(13)) ? Buffer.from(path) : null) : Buffer.from("x");
    const { certificates } = secretManifests("other", read(["geo/ca.pem", "geo/cert.pem", "geo/key.pem"]));
    expect(certificates.map(({ metadata }) => metadata)).to.deep.equal([
      { name: "internal-tls-geo", namespace: "other", labels: { "app.kubernetes.io/name": "geolookup" } },
    ]);
    expect(() => secretManifests("other", read(["geo/ca.pem", "geo/cert.pem"]))).to.throw(
      /internal-tls\/geo\/key\.pem/,
    );
  });
});
