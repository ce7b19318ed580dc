import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { tempFolder } from "../../../test/harness/temp-folder.ts";
import { readConfig } from "./config.ts";

const CLUSTER = {
  AUTH_URL: "dns:///auth:50052",
  GEO_URL: "ipv4:10.0.0.1:50051,10.0.0.2:50051",
  USAGE_URL: "127.0.0.1:50053",
  NATS_URL: "nats://a:4222,nats://b:4222",
  REDIS_URL: "redis://user:hunter2@a:6379/1",
  IP_HASH_SECRET: "0123456789abcdef",
};

describe("gateway configuration", () => {
  it("reads the addresses of a cluster", () => {
    const { authUrl, geoUrl, stores } = readConfig(CLUSTER);
    expect({ authUrl, geoUrl }).to.deep.equal({ authUrl: CLUSTER.AUTH_URL, geoUrl: CLUSTER.GEO_URL });
    expect(stores).to.include({ kind: "cluster", natsUrl: CLUSTER.NATS_URL });
    expect(stores).to.have.nested.property("redis.url", CLUSTER.REDIS_URL);
  });

  it("refuses docs at the API's own host", () => {
    const read = (DOCS_URL: string, API_URL: string) => readConfig({ ...CLUSTER, DOCS_URL, API_URL });
    for (const docs of ["https://geo.example.com", "https://GEO.example.com", "http://geo.example.com"])
      expect(() => read(docs, "https://geo.example.com/")).to.throw(StartError, "DOCS_URL: has the API's host");
    expect(read("https://docs.geo.example.com", "https://geo.example.com").apiUrl).to.equal("https://geo.example.com");
  });

  it("refuses invalid addresses, without showing those that may have a password", () => {
    const names = ["AUTH_URL", "GEO_URL", "USAGE_URL", "NATS_URL", "REDIS_URL"] as const;
    const bad = Object.fromEntries(names.map((name) => [name, "http://user:hunter2@a:1"]));
    const read = () => readConfig({ ...CLUSTER, ...bad });
    for (const name of names) expect(read).to.throw(StartError, `${name}: must be `);
    expect(() => readConfig({ ...CLUSTER, NATS_URL: bad.NATS_URL, REDIS_URL: bad.REDIS_URL })).not.to.throw("hunter2");
    expect(() => readConfig({ ...CLUSTER, GEO_URL: "%%%" })).to.throw('(got "%%%")');
  });

  it("refuses secret files that are readable for everyone, and names all of them", () => {
    const folder = tempFolder();
    const file = (name: string, mode: number) => {
      writeFileSync(join(folder, name), "-----BEGIN THIS----- a-secret-of-some-length");
      chmodSync(join(folder, name), mode);
      return join(folder, name);
    };
    const { IP_HASH_SECRET: _, ...others } = CLUSTER;
    const environment = {
      ...others,
      IP_HASH_SECRET_FILE: file("ip-hash-secret", 0o644),
      TLS_CERT_FILE: file("tls.pem", 0o644),
      TLS_KEY_FILE: file("tls.key", 0o644),
      NATS_CERT_FILE: file("nats.pem", 0o644),
      NATS_KEY_FILE: file("nats.key", 0o644),
    };
    for (const name of ["IP_HASH_SECRET_FILE", "TLS_KEY_FILE", "NATS_KEY_FILE"])
      expect(() => readConfig(environment)).to.throw(StartError, new RegExp(`${name}: .* is open to every user`));
    expect(() => readConfig(environment)).to.not.throw("CERT_FILE");
    for (const name of ["ip-hash-secret", "tls.key", "nats.key"]) file(name, 0o640);
    expect(readConfig(environment).tls).to.include({ keyFile: join(folder, "tls.key") });
  });

  it("keeps accepting connections for a while in Kubernetes, whose Services notice late that a pod is stopping", () => {
    expect(readConfig(CLUSTER).drainDelayMs).to.equal(0);
    expect(readConfig({ ...CLUSTER, KUBERNETES_SERVICE_HOST: "10.96.0.1" }).drainDelayMs).to.equal(1_500);
  });
});
