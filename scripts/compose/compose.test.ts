import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Knows the containers in the file `containers`: SERVICE STATE STATUS, and one of a pod, which has inherited the project's label
 * from its image. Prints the arguments of what it would run.
 */
const DOCKER = `#!/bin/sh
here=$(dirname "$0")
case "$*" in ps*oneoff=False*) ;; ps*) echo pod ;; esac
listed() { case "$*" in *--all*) cat "$here/containers" ;; *) grep " running " "$here/containers" ;; esac }
case "$*" in
  *"--format container"*) listed "$@" | sed 's/^/container /' ;;
  ps*compose.service=*) service=$(echo "$*" | sed 's/.*compose.service=//'); listed "$@" | grep "^$service " || true ;;
  ps*) listed "$@" || true ;;
  *" config"*) cat "$here/config.yml" ;;
  *" port gateway 8080") echo 0.0.0.0:8090 ;;
  inspect*PortBindings*) echo 127.0.0.1:22081 ;;
  *" ps "*gateway) echo gateway ;;
  *" run "*" -") echo "docker $*" && cat ;;
  *" run "* | *" up "* | *" build "* | *" pull "*) echo "docker $*" ;;
  "image inspect"*) cat "$here/version" ;;
esac
`;
const CONFIG = `name: geolookup
services:
  gateway:
    ports:
      - mode: ingress
        host_ip: 127.0.0.1
        target: 8080
        published: "22081"
    restart: unless-stopped
  geo:
    deploy:
      replicas: 3
    restart: unless-stopped
  nats:
    restart: unless-stopped
  volumes:
    restart: "no"
`;
const HEALTHY = "running Up 2 minutes (healthy)";
const KILLED = [
  `gateway ${HEALTHY}`,
  `geo ${HEALTHY}`,
  "geo running Up 2 minutes (unhealthy)",
  "nats exited Exited (137) 1 minute ago",
  "prometheus exited Exited (137) 1 minute ago",
  "volumes exited Exited (0) 2 minutes ago",
];

describe("scripts of the Compose cluster", () => {
  let folder: string;
  const file = (name: string) => join(folder, name);
  const setContainers = (...lines: string[]) =>
    writeFileSync(file("containers"), lines.map((line) => `${line}\n`).join(""));
  // Certificates take a second.
  const secrets = join(tempFolder(), "secrets");
  before("create the secrets", function () {
    this.timeout(60_000);
    const ENV_FILE = join(secrets, "../.env");
    execFileSync(join(REPOSITORY, "scripts/compose/secrets.sh"), {
      env: { ...process.env, SECRETS_DIR: secrets, ENV_FILE },
    });
  });
  const useSecrets = () => cpSync(secrets, file("secrets"), { recursive: true });
  beforeEach(() => {
    folder = tempFolder();
    writeFileSync(file("docker"), DOCKER, { mode: 0o755 });
    // Fails the commands that would run on this machine.
    writeFileSync(file("make"), "#!/bin/sh\necho here >&2\nexit 1\n", { mode: 0o755 });
    writeFileSync(file("config.yml"), CONFIG);
    writeFileSync(file(".env"), "# Mine.\nAPP_UID=10001\nAPP_GID=10001\n");
    setContainers(`gateway ${HEALTHY}`);
  });
  const run = (script: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(join(REPOSITORY, "scripts/compose", script), args, {
      encoding: "utf8",
      env: {
        ...{ PATH: [folder, process.env.PATH].join(delimiter), ENV_FILE: file(".env"), XDG_STATE_HOME: folder },
        ...{ SECRETS_DIR: file("secrets"), BACKUPS_DIR: file("backups"), MAY_LACK_SECRETS: "yes", KUBERNETES: "off" },
        ...environment,
      },
    });
    return { status, stdout, stderr };
  };
  /** A service of make start in this folder. */
  const startOther = () => {
    mkdirSync(file("geolookup/services"), { recursive: true });
    writeFileSync(file("geolookup/services/1"), `${folder}\n`);
    writeFileSync(file("service.json"), JSON.stringify({ mode: "standalone", pid: process.pid }));
  };

  describe("operator commands", () => {
    it("find the cluster by any container, and say what isn't running", () => {
      setContainers(...KILLED);
      const { stdout, stderr } = run("tool.sh", ["keys", "list"]);
      expect(stderr).to.equal(
        "keys: using Docker Compose, project geolookup\n" +
          "keys: not running: geo (1 of 3), nats (0 of 1), prometheus (0 of 1). make up starts what is missing\n",
      );
      expect(stdout).to.match(/^docker compose .* run .* tools node scripts\/program\/main\.ts keys list\n$/);
      expect(run("tool.sh", ["doctor"]).stdout).to.include(
        " --env PARTS=gateway=1/1,geo=1/3,nats=0/1,prometheus=0/1 tools node scripts/program/main.ts doctor\n",
      );
      setContainers("volumes exited Exited (0) 2 minutes ago");
      expect(run("tool.sh", ["smoke"]).stderr).to.include(
        "not running: gateway (0 of 1), geo (0 of 3), nats (0 of 1).",
      );
    });

    it("send a plans file of this machine to the container, which has another one at the same path", () => {
      writeFileSync(file("plans.json"), '{"gold":{}}\n');
      const { stdout } = run("tool.sh", ["keys", "plans", "check", file("plans.json"), "--json"]);
      expect(stdout).to.match(/ scripts\/program\/main\.ts keys plans check - --json\n$/);
      expect(run("tool.sh", ["keys", "plans", "check", "--json", file("plans.json")]).stdout).to.match(
        / keys plans check --json -\n\{"gold":\{\}\}\n$/,
      );
    });

    it("give the containers' user all backups, also those that root has put there", () => {
      writeFileSync(file("id"), "#!/bin/sh\necho 0\n", { mode: 0o755 });
      writeFileSync(file("chown"), '#!/bin/sh\necho "chown $*" >&2\n', { mode: 0o755 });
      mkdirSync(file("secrets"));
      writeFileSync(file("secrets/backup-key"), "secret\n");
      expect(run("tool.sh", ["restore", "backups/copied"]).stderr).to.include(
        `chown -R 10001:10001 ${file("backups")}\n`,
      );
    });

    it("ask which one to use if another service runs here, and use the one that is named", () => {
      startOther();
      const choice = run("tool.sh", ["keys", "list"]);
      expect(choice).to.deep.equal({
        ...{ status: 1, stdout: "" },
        stderr:
          "keys: geolookup runs here in several ways. Choose one: COMPOSE_PROJECT_NAME=geolookup (Docker Compose), " +
          `DATA_DIR=${folder} (make start or make cluster)\n`,
      });
      expect(run("tool.sh", ["keys", "list"], { DATA_DIR: folder }).stderr).to.equal("here\n");
      const spaced = file("my other data");
      mkdirSync(spaced);
      writeFileSync(join(spaced, "service.json"), readFileSync(file("service.json")));
      writeFileSync(file("geolookup/services/2"), `${spaced}\n`);
      expect(run("tool.sh", ["keys", "list"]).stderr).to.include(`, DATA_DIR=${spaced} (make start or make cluster)\n`);
      expect(run("tool.sh", ["keys", "list"], { COMPOSE_PROJECT_NAME: "geolookup" }).stdout).to.match(
        /^docker compose/,
      );
      setContainers();
      expect(run("tool.sh", ["keys", "list"]).stderr).to.equal("here\n");
      expect(run("tool.sh", ["keys", "list"], { COMPOSE_PROJECT_NAME: "other" })).to.deep.equal({
        ...{ status: 1, stdout: "" },
        stderr: "keys: the Compose project other has no containers. To start it, run make up\n",
      });
    });

    it("say that the engine isn't responding", () => {
      writeFileSync(file("docker"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      expect(run("tool.sh", ["keys", "list"]).stderr).to.equal(
        "keys: the Docker engine isn't responding, so a Compose cluster isn't found\nhere\n",
      );
    });
  });

  it("HAProxy has KEEP_ALIVE_SECONDS only if it is set, so that an upgrade from a version without it doesn't replace HAProxy", () => {
    const keepAlive = "--file infra/compose/keep-alive.yml";
    expect(run("tool.sh", ["keys", "list"]).stdout).to.not.include(keepAlive);
    appendFileSync(file(".env"), "KEEP_ALIVE_SECONDS=600\n");
    expect(run("tool.sh", ["keys", "list"]).stdout).to.include(keepAlive);
    const haproxy = /^ {2}haproxy:\n(?: {4}.*\n)+/m.exec(readFileSync(join(REPOSITORY, "docker-compose.yml"), "utf8"));
    expect(haproxy?.[0]).to.not.include("KEEP_ALIVE");
  });

  it("make up says where the docs site and the console are", () => {
    const docsUrl = (environment = {}) =>
      /The docs site and the console are at\s+(\S+)\.\n/.exec(
        run("up.sh", [], { MODE: "plain", ...environment }).stdout,
      )?.[1];
    expect(docsUrl()).to.equal("http://docs.localhost:8090");
    expect(docsUrl({ DOCS_URL: "https://docs.geo.example" })).to.equal("https://docs.geo.example");
  });

  it("make upgrade from a version without NATS's setup step creates its password and runs it", function () {
    this.timeout(60_000);
    useSecrets();
    rmSync(file("secrets/nats-setup-password"));
    const { status, stdout, stderr } = run("rolling.sh", ["upgrade", "nats"], { MAY_LACK_SECRETS: "" });
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(/ up .* nats\n(.*\n)*.* run .* nats-setup\n/);
  });

  describe("GEOLOOKUP_IMAGE", () => {
    const IMAGE = "ghcr.io/you/geolookup:0.3.0";
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
    const SERVICES = ["tools", "gateway", "auth", "geo", "usage", "portal"];

    it("without it, make up builds the images", () => {
      const { stdout } = run("up.sh", [], { MODE: "plain" });
      for (const service of SERVICES) expect(stdout).to.match(new RegExp(`^docker compose .* build ${service}$`, "m"));
      expect(stdout).to.not.include(" pull ");
    });

    it("make up and make upgrade pull its images and build none", () => {
      writeFileSync(file("version"), `${version}\n`);
      const first = run("up.sh", [], { MODE: "plain", GEOLOOKUP_IMAGE: IMAGE });
      expect(readFileSync(file(".env"), "utf8")).to.include(`GEOLOOKUP_IMAGE=${IMAGE}\n`);
      for (const { stdout } of [first, run("rolling.sh", ["upgrade", "geo-data-refresh"])]) {
        expect(stdout).to.match(new RegExp(`^docker compose .* pull .*${SERVICES.join(" ")}\n`));
        expect(stdout).to.include(" up ").and.to.not.include(" build ");
      }
    });

    it("nothing is replaced if its images have another version than the folder", () => {
      writeFileSync(file("version"), "9.9.9\n");
      const { status, stdout, stderr } = run("up.sh", [], { MODE: "plain", GEOLOOKUP_IMAGE: IMAGE });
      expect(status).to.equal(1);
      expect(stderr).to.include(`has version 9.9.9, and this folder version ${version}: set GEOLOOKUP_IMAGE to`);
      expect(stdout).to.not.include(" up ");
    });
  });

  for (const [setting, advice] of [
    ["FRONT_PREFIX=10.1.2", /FRONT_PREFIX was removed in 0.3.0.*use NETWORK_PREFIX/],
    ["NETWORK_PREFIX=10.1.2", /NETWORK_PREFIX has only two numbers/],
    ["REDIS_IMAGE=mirror.example/redis:8", /use the image in docker-compose.override.yml/],
    ["NPM_REGISTRY=https://npm.example", /use npm_config_registry/],
  ] as const)
    it(`make up with the removed ${setting} in .env stops and says what to set instead`, () => {
      useSecrets();
      appendFileSync(file(".env"), `${setting}\n`);
      const { status, stderr } = run("up.sh", [], { MODE: "plain", MAY_LACK_SECRETS: "" });
      expect([status, stderr]).to.deep.equal([1, stderr]);
      expect(stderr).to.match(advice);
    });

  describe("settings", () => {
    const stored = () => readFileSync(file(".env"), "utf8");

    it("of make up stay in force, and ./geolookup restart refuses others", () => {
      const settings = { PORT: "22081", BIND: "127.0.0.1", GEO: "3", EDGE_ALLOW: "continent:EU, DE", LOG_LEVEL: "" };
      const up = run("up.sh", [], { MODE: "plain", ...settings });
      expect(up.stderr).to.include("the next commands use the same: BIND EDGE_ALLOW GEO PORT SECRETS_DIR");
      expect(stored()).to.equal(
        "# Mine.\nAPP_UID=10001\nAPP_GID=10001\nBIND=127.0.0.1\nEDGE_ALLOW='continent:EU, DE'\nGEO=3\nPORT=22081\n" +
          `SECRETS_DIR=${file("secrets")}\n`,
      );
      setContainers(`gateway ${HEALTHY}`, `geo ${HEALTHY}`);
      const { status, stderr } = run("rolling.sh", ["restart", "geo"], {
        PORT: "8080",
        EDGE_ALLOW: "continent:EU, DE",
      });
      expect(status).to.equal(1);
      expect(stderr).to.include(
        "these in the environment aren't those of the cluster: PORT. To change them, run make up",
      );
      expect(run("scale.sh", ["geo=2"], { PORT: "8080" }).stderr).to.include("aren't those of the cluster: PORT.");
      // As commands advise where geolookup runs in several ways.
      for (const named of [{}, { COMPOSE_PROJECT_NAME: "geolookup" }])
        expect(run("rolling.sh", ["restart", "geo-data-refresh"], named).stderr).to.equal("restart: done\n");
    });

    it("of a cluster of an earlier version aren't lost", () => {
      writeFileSync(file(".env"), `APP_UID=10001\nAPP_GID=10001\nSECRETS_DIR=${file("secrets")}\n`);
      writeFileSync(file("config.yml"), CONFIG.replace("22081", "8080"));
      setContainers(`gateway ${HEALTHY}`, `geo ${HEALTHY}`, `geo ${HEALTHY}`);
      expect(run("rolling.sh", ["restart", "geo"]).stderr).to.include(
        "the cluster listens on 127.0.0.1:22081, and would move to 127.0.0.1:8080: put the right BIND and PORT into",
      );
      expect(stored()).to.include("GEO=2\n");
    });

    it("replace the only line of .env, and don't include the proxies of the shell", () => {
      writeFileSync(file(".env"), "GEO=1");
      expect(
        run("scale.sh", ["geo=4"], { SECRETS_DIR: "", HTTPS_PROXY: "http://me:secret@proxy:3128" }).status,
      ).to.equal(0);
      expect(stored()).to.equal("GEO=4\n");
      run("up.sh", [], { MODE: "plain", HTTPS_PROXY: "http://me:secret@proxy:3128" });
      expect(stored())
        .to.match(/^GEO=4\n/)
        .and.to.not.include("PROXY");
    });

    it("have the number of containers that make scale sets", () => {
      run("scale.sh", ["geo=4", "auth=2"], { SECRETS_DIR: "" });
      run("scale.sh", ["geo=1"], { SECRETS_DIR: "" });
      expect(stored()).to.match(/\nAUTH=2\nGEO=1\n$/);
      const { status, stderr } = run("up.sh", [], { MODE: "plain", GEO: "many" });
      expect([status, stderr]).to.deep.equal([1, `GEO in ${file(".env")} must be a number from 1 to 99\n`]);
    });
  });
});
