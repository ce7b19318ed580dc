import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";

describe("readConfig of usage", () => {
  it("requires an admin token and NATS, and nothing else", () => {
    expect(readConfig({ ADMIN_TOKEN: "0123456789abcdef", NATS_URL: "nats://127.0.0.1:4222" })).to.deep.equal({
      host: "127.0.0.1",
      port: 50053,
      opsPort: 9464,
      logLevel: "info",
      dataDir: "data",
      adminToken: "0123456789abcdef",
      stores: "cluster",
      natsUrl: "nats://127.0.0.1:4222",
      natsAccess: {},
      natsReplicas: 1,
      exposedSecretFiles: [],
      internalTls: null,
    });
  });

  it("doesn't require NATS on embedded stores", () => {
    expect(readConfig({ ADMIN_TOKEN: "0123456789abcdef", STORES: "embedded" })).to.include({ stores: "embedded" });
  });

  it("reads the address of NATS from a file, and doesn't show an invalid one", () => {
    const read = () => readConfig({ ADMIN_TOKEN: "0123456789abcdef", NATS_URL_FILE: "/dev/null" });
    expect(read).to.throw(StartError, "NATS_URL_FILE: cannot read /dev/null: it is empty");
    const readBad = () => readConfig({ ADMIN_TOKEN: "0123456789abcdef", NATS_URL: "http://user:hunter2@h" });
    expect(readBad).to.throw(StartError, "NATS_URL: must be nats://[user:password@]host:port");
    expect(readBad).not.to.throw("hunter2");
  });
});
