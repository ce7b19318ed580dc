import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkFiles as checkAuth } from "@geolookup/auth/check-files.ts";
import { readConfig as readAuth } from "@geolookup/auth/config.ts";
import { checkFiles as checkGateway } from "@geolookup/gateway/check-files.ts";
import { readConfig as readGateway } from "@geolookup/gateway/config.ts";
import { checkFiles as checkGeo } from "@geolookup/geo/check-files.ts";
import { readConfig as readGeo } from "@geolookup/geo/config.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { checkFiles as checkStandalone } from "@geolookup/standalone/check-files.ts";
import { readConfig as readStandalone } from "@geolookup/standalone/config.ts";
import { expect } from "chai";
import { testAuthority } from "../harness/certificates.ts";
import { startChild, startProgram } from "../harness/child.ts";
import { baseSettings } from "../harness/settings.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const NATS = { NATS_URL: "nats://127.0.0.1:4222" };
const GATEWAY = {
  ...NATS,
  REDIS_URL: "redis://127.0.0.1:6379",
  IP_HASH_SECRET: "a-secret-of-some-length",
  AUTH_URL: "127.0.0.1:50052",
  GEO_URL: "127.0.0.1:50051",
  USAGE_URL: "127.0.0.1:50053",
};

describe("main.ts --check, which make up runs before it replaces anything", () => {
  let folder: string;
  beforeEach(() => {
    folder = tempFolder();
  });
  const file = (text: string) => {
    const path = join(folder, "file");
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const ring = () => file(JSON.stringify({ active: "K001", keys: [{ id: "K001", secret: "s".repeat(43) }] }));
  const check = async (service: string, settings: Readonly<Record<string, string>>) => {
    const child = startChild(`services/${service}/src/main.ts`, ["--check"], {
      DATA_DIR: join(folder, "data"),
      ...settings,
    });
    return { status: await child.exited, stderr: child.stderr() };
  };

  it("accepts valid settings, even if other services are down, and creates no files", async () => {
    const good = await Promise.all([
      check("gateway", GATEWAY),
      check("auth", { ...NATS, ADMIN_TOKEN: "a-token-of-some-length", SIGNING_KEYS_FILE: ring() }),
    ]);
    expect(good).to.deep.equal([0, 0].map((status) => ({ status, stderr: "" })));
    expect(readdirSync(folder)).to.deep.equal(["file"]);
  });

  it("names a misspelled setting that has no effect, and accepts the others", async () => {
    const { status, stderr } = await check("gateway", { ...GATEWAY, KEYLES_LIMIT: "5" });
    expect(status).to.equal(0);
    expect(JSON.parse(stderr)).to.include({ level: "warn", name: "KEYLES_LIMIT" });
    expect(stderr).to.include("Did you mean KEYLESS_LIMIT?");
  });

  it("refuses any other argument with status 2, and starts nothing", async () => {
    const run = async (service: string, ...args: string[]) => {
      const child = startChild(`services/${service}/src/main.ts`, args, { DATA_DIR: join(folder, "data") });
      return { status: await child.exited, stderr: child.stderr() };
    };
    const [mistyped, extra] = await Promise.all([
      run("standalone", "--no-such-option"),
      run("usage", "--check", "now"),
    ]);
    const only = "The only option is --check: check the configuration without starting\n";
    expect(mistyped).to.deep.equal({ status: 2, stderr: `geolookup: unknown option --no-such-option. ${only}` });
    expect(extra).to.deep.equal({ status: 2, stderr: `usage: unexpected argument "now". ${only}` });
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  const { certFile } = testAuthority().issue();
  const { keyFile } = testAuthority().issue();
  const inProcess = {
    auth: checkAfterReading(readAuth, checkAuth),
    gateway: checkAfterReading(readGateway, checkGateway),
    geo: checkAfterReading(readGeo, checkGeo),
    standalone: checkAfterReading(readStandalone, checkStandalone),
  };
  it("npm start -- --check fetches nothing before", async () => {
    // Fetching would fail.
    const environment = { DATA_DIR: join(folder, "data"), GEO_DATA_SOURCE: "npm", npm_config_registry: "nowhere" };
    const child = startProgram("scripts/start.sh", ["services/standalone/src/main.ts", "--check"], environment);
    expect({ status: await child.exited, stderr: child.stderr() }).to.deep.equal({ status: 0, stderr: "" });
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("accepts missing signing keys where the first start creates them, and creates nothing", async () => {
    const dataDir = join(folder, "data");
    await inProcess.standalone({ ...baseSettings(), DATA_DIR: dataDir });
    await inProcess.standalone({ ...baseSettings(), DATA_DIR: dataDir, SIGNING_KEYS_FILE: join(folder, "none") });
    await inProcess.auth({ STORES: "embedded", ADMIN_TOKEN: "a-token-of-some-length", DATA_DIR: dataDir });
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  const cases: readonly [
    what: string,
    service: keyof typeof inProcess,
    settings: () => Record<string, string>,
    said: string,
  ][] = [
    [
      "the plans",
      "auth",
      () => ({ ...NATS, ADMIN_TOKEN: "a-token-of-some-length", SIGNING_KEYS_FILE: ring(), PLANS_FILE: folder }),
      "the plans file",
    ],
    [
      "the signing keys",
      "auth",
      () => ({ ...NATS, ADMIN_TOKEN: "a-token-of-some-length", SIGNING_KEYS_FILE: file("{}") }),
      "the signing keys file",
    ],
    [
      "a secret that everyone can read",
      "auth",
      () => {
        const path = ring();
        chmodSync(path, 0o644);
        return { ...NATS, ADMIN_TOKEN: "a-token-of-some-length", SIGNING_KEYS_FILE: path };
      },
      "is open to every user of this machine",
    ],
    [
      "the geofeed",
      "geo",
      () => ({ GEO_DATABASES: baseSettings().GEO_DATABASES ?? "", GEOFEED_FILE: join(folder, "none") }),
      "the geofeed file",
    ],
    ["standalone's signing keys", "standalone", () => ({ SIGNING_KEYS_FILE: file("{}") }), "the signing keys file"],
    ["standalone's databases", "standalone", () => ({ GEO_DATABASES: join(folder, "none.mmdb") }), "none.mmdb"],
    [
      "standalone's certificate with another's key",
      "standalone",
      () => ({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }),
      "the key doesn't match",
    ],
    [
      "standalone's data folder below a file",
      "standalone",
      () => ({ DATA_DIR: join(file(""), "data") }),
      "cannot write to the folder",
    ],
    [
      "the gateway's data folder below a file",
      "gateway",
      () => ({ ...GATEWAY, DATA_DIR: join(file(""), "data") }),
      "cannot write to the folder",
    ],
    ["a HOST that can't be an address", "standalone", () => ({ HOST: "999.1.1.1" }), "HOST"],
  ];
  for (const [what, service, settings, said] of cases)
    it(`reports ${what}`, async () => {
      const environment = { DATA_DIR: join(folder, "data"), ...settings() };
      const error = await inProcess[service](environment).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(StartError);
      expect((error as StartError).message).to.include(said);
    });

  it("reports a variable or a file, and exits with 1", async () => {
    const refused = await Promise.all([
      check("gateway", { ...GATEWAY, KEYLESS: "maybe" }),
      check("standalone", { PLANS_FILE: join(folder, "none") }),
    ]);
    for (const [index, said] of ["KEYLESS", "the plans file"].entries()) {
      expect(refused[index]?.status).to.equal(1);
      expect(refused[index]?.stderr)
        .to.include(said)
        .and.to.not.match(/^\s+at /m);
    }
  });
});

function checkAfterReading<Config>(
  read: (environment: Readonly<Record<string, string>>) => Config,
  checkFiles: (config: Config) => Promise<void> | void,
) {
  return async (environment: Readonly<Record<string, string>>) => checkFiles(read(environment));
}
