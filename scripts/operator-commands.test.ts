import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { recordService, type ServiceRecord, servicesFolder } from "@geolookup/shared/runtime/files/service-record.ts";
import { expect } from "chai";
import { runHere } from "../test/harness/command.ts";
import { tempFolder } from "../test/harness/temp-folder.ts";

const REPOSITORY = fileURLToPath(new URL("../", import.meta.url));

/** Make's targets that take ARGS. */
const TARGETS = [
  ...["backup", "bench", "bench-quick", "doctor", "fuzz", "geo-data", "keys", "kubernetes-down", "kubernetes-up"],
  ...["restore", "rotate-secret", "smoke", "usage"],
];

/** Tells make that the npm packages are installed. */
const INSTALLED = ["--old-file=node_modules/.package-lock.json", "--old-file=node_modules/.developer-packages"];

describe("operator commands", () => {
  it("the command in docs/cluster.md creates signing keys that only their owner can read", () => {
    const page = readFileSync(join(REPOSITORY, "docs/cluster.md"), "utf8");
    const command = /```sh\n(\s*\(umask[^`]*signing-keys\.json\))/.exec(page)?.[1] ?? "";
    const cwd = tempFolder();
    execFileSync("sh", ["-c", command], { cwd });
    const file = join(cwd, "signing-keys.json");
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(parseRing(readFileSync(file, "utf8")).active.id).to.equal("K001");
  });

  const secrets = join(tempFolder(), "secrets");
  const makeSecrets = () => {
    const environment = { ...process.env, SECRETS_DIR: secrets, ENV_FILE: join(secrets, "../.env") };
    execFileSync("scripts/compose/secrets.sh", { cwd: REPOSITORY, env: environment, stdio: "pipe" });
  };

  it("./geolookup secrets writes every secret so that only its owner can read it", () => {
    makeSecrets();
    const files = readdirSync(secrets, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).to.include.members(["backup-key", "admin-token", "signing-keys.json"]);
    for (const { name, parentPath } of files)
      expect(statSync(join(parentPath, name)).mode & 0o777, name).to.equal(0o600);
  });

  it("./geolookup secrets adds certificates to an existing folder, issues missing ones from the same CA, and overwrites none", () => {
    const read = (name: string) => readFileSync(join(secrets, "internal-tls", name), "utf8");
    const certificateOf = (service: string) => new X509Certificate(read(`${service}/cert.pem`));
    makeSecrets();
    expect(read("geo/ca.pem")).to.not.include("PRIVATE KEY");
    const kept = [read("geo/key.pem"), read("../signing/signing-keys.json")];
    rmSync(join(secrets, "internal-tls/auth"), { recursive: true });
    makeSecrets();
    expect([read("geo/key.pem"), read("../signing/signing-keys.json")]).to.deep.equal(kept);
    for (const service of ["auth", "geo", "geo-data", "nats", "redis", "operator"]) {
      expect(certificateOf(service).verify(new X509Certificate(read("geo/ca.pem")).publicKey), service).to.equal(true);
      expect(certificateOf(service).subjectAltName).to.equal(`DNS:${service}.geolookup.internal, DNS:${service}`);
    }
    // Compose doesn't need this one, so it doesn't have to be added to certificates of another CA.
    for (const name of ["internal-ca", "internal-tls/geo-data"]) rmSync(join(secrets, name), { recursive: true });
    makeSecrets();
    rmSync(join(secrets, "internal-tls/auth"), { recursive: true });
    expect(makeSecrets).to.throw(/there is no .*internal-ca\/ca\.pem, which issued the certificates/);
  });

  it("refuse a path in a container, which has other files at the same path, and loses new ones", async () => {
    for (const args of [
      ["keys", "plans", "check", "infra/plans.json"],
      ["keys", "import", "keys.csv"],
      ["keys", "issue", "--kind", "secret", "--plan", "paid", "--csv", "keys.csv"],
      ["keys", "scan", "."],
      ["apply", "keys.yaml"],
    ]) {
      const { status, stdout, stderr } = await runHere(args, {
        DEPLOYMENT: "compose",
        AUTH_URL: "127.0.0.1:9",
        ADMIN_TOKEN: "a".repeat(16),
      });
      expect({ status, stdout }, stderr).to.deep.equal({ status: 2, stdout: "" });
      expect(stderr)
        .to.include(`can't use ${args.at(-1)}: the command runs in a container`)
        .and.include("Pass - instead");
    }
  });

  it("smoke doesn't take a URL that isn't responding for the cluster in which it runs", async () => {
    const { status, stderr } = await runHere(["smoke", "http://geo.invalid"], { DEPLOYMENT: "compose" });
    expect(status).to.equal(1);
    expect(stderr).to.match(
      /^smoke: http:\/\/geo\.invalid isn't responding: .* Check the address, and that it is running$/m,
    );
  });

  it("backup explains first how to save the data of make start", async () => {
    const { status, stderr } = await runHere(["backup"], { DATA_DIR: tempFolder() });
    expect(status).to.equal(1);
    expect(stderr)
      .to.match(/^backup: For a cluster, set NATS_URL\..*event logs are in DATA_DIR, so stop it and copy that folder/)
      .and.to.include("set NATS_URL");
  });

  it("don't mix the data of make start with a cluster that runs without its addresses in the environment", async () => {
    const dataDir = tempFolder();
    const folder = join(dataDir, "cluster");
    const ring = newRingText((size) => Buffer.alloc(size, 7));
    mkdirSync(folder);
    writeFileSync(join(dataDir, "signing-keys.json"), ring);
    const url = "http://127.0.0.1:8080";
    const variables = { AUTH_URL: "127.0.0.1:1", USAGE_URL: "127.0.0.1:1", ADMIN_TOKEN: "an-admin-token-for-tests" };
    const record: ServiceRecord = { mode: "cluster", pid: process.pid, dataDir: folder, url, docsUrl: url, variables };
    const stateHome = tempFolder();
    const recorded = (natsVariables: ServiceRecord["variables"]) =>
      recordService(
        { ...record, variables: { ...variables, ...natsVariables } },
        servicesFolder({ XDG_STATE_HOME: stateHome }),
        (error) => expect.fail(error.message),
      );
    const errorOf = async (...args: string[]) => {
      const { status, stderr } = await runHere(args, { DATA_DIR: dataDir, XDG_STATE_HOME: stateHome });
      expect(status, stderr).to.equal(1);
      return stderr;
    };
    const advice = `a cluster is running with the data folder ${folder}. Run the \`export …\` line that \`make cluster\` printed`;
    {
      using _onNats = await recorded({ NATS_URL: "nats://127.0.0.1:1" });
      for (const args of [["backup"], ["restore", "backups/one"], ["rotate", "signing-key"], ["usage", "verify"]])
        expect(await errorOf(...args)).to.equal(`${args[0]}: ${advice}, then try again\n`);
    }
    using _onFiles = await recorded({});
    expect(await errorOf("usage", "verify")).to.include(`printed, set DATA_DIR to ${join(folder, "gateway-1")}, then`);
    expect(await errorOf("backup")).to.include("copy that folder");
    expect(readFileSync(join(dataDir, "signing-keys.json"), "utf8")).to.equal(ring);
  });

  it("rotate-secret refuses other names before it looks for a cluster", () => {
    const environment = { ...process.env, ENV_FILE: join(tempFolder(), "none") };
    const ended = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync("scripts/compose/rotate-secret.sh", args, {
        cwd: REPOSITORY,
        encoding: "utf8",
        env: environment,
      });
      return { status, stdout, stderr };
    };
    for (const args of [[], ["nonsense"], ["--no-such-option"], ["admin-token", "nats-passwords"]])
      expect(ended(...args))
        .to.include({ status: 2, stdout: "" })
        .and.to.have.property("stderr")
        .that.matches(/\nFor help: \.\/geolookup rotate secret --help\n$/);
  });

  it("get their arguments from make, which runs nothing else before", () => {
    const { npm_config_registry: _, ...environment } = process.env;
    for (const target of TARGETS) {
      const lines = execFileSync("make", ["--dry-run", "--no-print-directory", ...INSTALLED, target, "ARGS=--help"], {
        cwd: REPOSITORY,
        encoding: "utf8",
        env: { ...environment, MAKEFLAGS: "" },
      })
        .trim()
        .split("\n");
      expect(lines, target).to.have.length(1);
      expect(lines[0], target).to.match(/--help$/);
    }
  });
});

describe("commands of Docker Compose", () => {
  const notSetUp = () => ({ ...process.env, ENV_FILE: join(tempFolder(), ".env"), MAY_LACK_SECRETS: "yes" });

  for (const argument of ["geo=2", "ARGS=geo=2"])
    it(`make scale ${argument} scales geo`, () => {
      const options = { cwd: REPOSITORY, env: notSetUp(), encoding: "utf8" } as const;
      // It got as far as looking for the cluster.
      expect(spawnSync("make", ["scale", argument], options).stderr).to.include("to restart it, stop it");
    });

  for (const [script, ...args] of [
    ["rolling.sh", "upgrade"],
    ["scale.sh", "geo=2"],
    ["compose.sh", "ps"],
  ] as const)
    it(`${script} says what to do with a service of make start`, () => {
      const env = notSetUp();
      const { status, stderr } = spawnSync(join(REPOSITORY, "scripts/compose", script), args, {
        env,
        encoding: "utf8",
      });
      expect(status).to.equal(1);
      expect(stderr).to.include("to restart it, stop it and run make start again; to upgrade it, run git pull first");
    });
});
