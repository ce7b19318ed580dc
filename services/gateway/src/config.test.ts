import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";

const CLUSTER = {
  AUTH_URL: "dns:///auth:50052",
  GEO_URL: "ipv4:10.0.0.1:50051,10.0.0.2:50051",
  USAGE_URL: "127.0.0.1:50053",
  NATS_URL: "nats://a:4222,nats://b:4222",
  REDIS_URL: "redis://user:hunter2@a:6379/1",
  IP_HASH_SECRET: "0123456789abcdef",
};

describe("the gateway's configuration", () => {
  it("takes the addresses of a cluster", () => {
    const { authUrl, geoUrl, stores } = readConfig(CLUSTER);
    expect({ authUrl, geoUrl }).to.deep.equal({ authUrl: CLUSTER.AUTH_URL, geoUrl: CLUSTER.GEO_URL });
    expect(stores).to.include({ kind: "cluster", natsUrl: CLUSTER.NATS_URL });
    expect(stores).to.have.nested.property("redis.url", CLUSTER.REDIS_URL);
  });

  it("refuses addresses that are none, and shows none that may hold a password", () => {
    const names = ["AUTH_URL", "GEO_URL", "USAGE_URL", "NATS_URL", "REDIS_URL"] as const;
    const bad = Object.fromEntries(names.map((name) => [name, "http://user:hunter2@a:1"]));
    const read = () => readConfig({ ...CLUSTER, ...bad });
    for (const name of names) expect(read).to.throw(StartError, `${name}: must be `);
    expect(() => readConfig({ ...CLUSTER, NATS_URL: bad.NATS_URL, REDIS_URL: bad.REDIS_URL })).not.to.throw("hunter2");
    expect(() => readConfig({ ...CLUSTER, GEO_URL: "%%%" })).to.throw('(got "%%%")');
  });

  it("takes a data folder for its own unless it is told that others have it too", () => {
    expect(readConfig(CLUSTER).sharesDataDir).to.equal(false);
    expect(readConfig({ ...CLUSTER, DATA_DIR_SHARED: "on" }).sharesDataDir).to.equal(true);
    expect(() => readConfig({ ...CLUSTER, DATA_DIR_SHARED: "yes" })).to.throw(
      StartError,
      "DATA_DIR_SHARED: must be on or off",
    );
  });
});
