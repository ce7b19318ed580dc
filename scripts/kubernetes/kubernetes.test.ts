import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const CURRENT = "staging https://10.0.0.1:6443";
/** Prints the current context; any other command fails and prints its arguments. */
const KUBECTL = `#!/bin/sh
case "$*" in
  "config view"*) printf %s "${CURRENT}" ;;
  "get --raw /version"*) ;;
  *) echo "kubectl $*" >&2; exit 1 ;;
esac
`;

describe("operator commands on Kubernetes", () => {
  let folder: string;
  beforeEach(() => {
    folder = tempFolder();
    mkdirSync(join(folder, "secrets/kubernetes"), { recursive: true });
    writeFileSync(join(folder, "kubectl"), KUBECTL, { mode: 0o755 });
    writeFileSync(join(folder, "docker"), "#!/bin/sh\n", { mode: 0o755 });
    // Fails the commands that would run on this machine.
    writeFileSync(join(folder, "make"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    writeFileSync(join(folder, ".env"), "APP_UID=10001\nAPP_GID=10001\n");
  });
  const installedInto = (cluster: string) => writeFileSync(join(folder, "secrets/kubernetes/cluster"), `${cluster}\n`);
  const ended = (script: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) => {
    const { PATH = "" } = process.env;
    const { status, stdout, stderr } = spawnSync(join(REPOSITORY, script), args, {
      encoding: "utf8",
      env: {
        ...{ PATH: [folder, PATH].join(delimiter), ENV_FILE: join(folder, ".env") },
        ...{ SECRETS_DIR: join(folder, "secrets"), BACKUPS_DIR: join(folder, "backups"), ...environment },
      },
    });
    return { status, stdout, stderr };
  };
  const isKubernetes = /^keys: using Kubernetes, staging https:\/\/10\.0\.0\.1:6443\n/;

  for (const name of ["up", "down"])
    it(`kubernetes-${name} refuses unknown arguments`, () => {
      for (const args of [["nonsense"], ["--no-such-option"], ...(name === "up" ? [["--overlay"]] : [])])
        expect(ended(`scripts/kubernetes/${name}.sh`, args))
          .to.include({ status: 2, stdout: "" })
          .and.to.have.property("stderr")
          .that.matches(new RegExp(`${args[0]}.*\nFor help: \\./geolookup kubernetes ${name} --help\n$`));
    });

  it("kubernetes-up refuses a folder that isn't an overlay", () => {
    const { status, stderr } = ended("scripts/kubernetes/up.sh", ["--overlay", folder]);
    expect([status, stderr]).to.deep.equal([1, `kubernetes-up: there is no ${folder}/kustomization.yaml\n`]);
  });

  it("kubernetes-up applies the images of GEOLOOKUP_IMAGE, and builds none", function () {
    this.timeout(20_000);
    const image = "ghcr.io/you/geolookup:0.3.0";
    writeFileSync(join(folder, "docker"), '#!/bin/sh\necho "docker $*" >&2\nexit 1\n', { mode: 0o755 });
    // Renders the overlay, and fails when the first file is applied.
    const kubectl = KUBECTL.replace(
      "case",
      'case $1 in kustomize) PATH=$REAL_PATH exec kubectl "$@" ;; apply) cp "$TMPDIR"/tmp.* "$TMPDIR/applied" ;; esac\ncase',
    );
    writeFileSync(join(folder, "kubectl"), kubectl, { mode: 0o755 });
    const { stderr } = ended("scripts/kubernetes/up.sh", [], {
      ...{ GEOLOOKUP_IMAGE: image, TMPDIR: folder, REAL_PATH: process.env.PATH ?? "" },
    });
    expect(stderr).to.not.include("docker");
    const applied = readFileSync(join(folder, "applied"), "utf8");
    const images = [...applied.matchAll(/^[ -]*image: (.*)$/gm)].map(([, name = ""]) => name);
    const services = ["auth", "gateway", "geo", "portal", "tools", "usage"];
    expect([...new Set(images)].sort()).to.deep.equal(
      [...services.map((service) => `${image}-${service}`), "nats:2.12-alpine", "redis:8"].sort(),
    );
  });

  it("use the cluster that kubernetes-up has installed into", () => {
    installedInto(CURRENT);
    const { status, stderr } = ended("scripts/compose/tool.sh", ["keys", "list"]);
    expect(status).to.equal(1);
    expect(stderr).to.match(isKubernetes).and.to.include("geolookup isn't installed in this cluster");
  });

  it("finish an upgrade only when no pod of the version before is ending any longer", () => {
    installedInto(CURRENT);
    const upgrade = (pods: string, wait: string) => {
      const kubectl = KUBECTL.replace(
        "  *) echo",
        `*"get pods"*deletionTimestamp*) printf %s "${pods}" ;;\n*wait*) ${wait} ;;\n*) echo`,
      );
      writeFileSync(join(folder, "kubectl"), kubectl, { mode: 0o755 });
      return ended("scripts/compose/tool.sh", ["upgrade", "--finish"]).stderr;
    };
    const continues = "geolookup isn't installed in this cluster";
    expect(upgrade("pod/gateway-1 pod/auth-0 ", 'echo "kubectl $*" >&2; exit 1'))
      .to.match(/kubectl --namespace geolookup wait --for delete pod\/gateway-1 pod\/auth-0 --timeout 120s\n/)
      .and.match(/still ending, so nothing was recorded.*: pod\/gateway-1 pod\/auth-0/)
      .and.not.include(continues);
    expect(upgrade("pod/gateway-1 ", "exit 0")).to.include(continues).and.not.include("still ending");
    expect(upgrade("", 'echo "kubectl $*" >&2; exit 1'))
      .to.include(continues)
      .and.not.include("kubectl --namespace geolookup wait");
  });

  it("never use another context by accident, only with KUBERNETES=on", () => {
    installedInto("production https://10.0.0.2:6443");
    const tool = (environment: Readonly<Record<string, string>>) =>
      ended("scripts/compose/tool.sh", ["keys", "list"], environment).stderr;
    expect(tool({})).to.not.include("Kubernetes");
    expect(tool({ KUBERNETES: "on" })).to.match(isKubernetes);
    installedInto(CURRENT);
    expect(tool({ KUBERNETES: "off" })).to.not.include("Kubernetes");
    expect(tool({ AUTH_URL: "ipv4:127.0.0.1:1" })).to.not.include("Kubernetes");
    expect(tool({ KUBERNETES: "yes" })).to.equal("keys: KUBERNETES must be on, off or unset\n");
    expect(ended("scripts/kubernetes/down.sh", [], { KUBERNETES: "off" }).stderr).to.include(
      "didn't install geolookup",
    );
  });

  it("ask which one to use if Docker Compose runs geolookup too", () => {
    installedInto(CURRENT);
    writeFileSync(join(folder, "docker"), "#!/bin/sh\necho container\n", { mode: 0o755 });
    const { status, stderr } = ended("scripts/compose/tool.sh", ["restore", "backups/x"]);
    expect([status, stderr]).to.deep.equal([
      1,
      `restore: geolookup runs here in several ways. Choose one: KUBERNETES=on (Kubernetes, ${CURRENT}), COMPOSE_PROJECT_NAME=geolookup (Docker Compose)\n`,
    ]);
  });

  it("backup doesn't overwrite a folder, and restore needs one", () => {
    installedInto(CURRENT);
    mkdirSync(join(folder, "backups/old"), { recursive: true });
    expect(ended("scripts/compose/tool.sh", ["backup", "backups/old"]).stderr).to.include("backups/old already exists");
    expect(ended("scripts/compose/tool.sh", ["restore", "--force", "backups/none"]).stderr).to.include(
      "there is no folder",
    );
  });
});
