import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { logLines, startProgram, stopChild, waitForOutput } from "../harness/child.ts";
import { send } from "../harness/http.ts";
import { baseSettings } from "../harness/settings.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const UNIT = join(REPOSITORY, "infra/systemd/geolookup.service");
/** `systemd-analyze security` rates services below 5 as OK; unprotected services have more than 9. */
const MAX_EXPOSURE = 2;
const START_TIMEOUT_MS = 60_000;
/** Receives datagrams at a path, like systemd at NOTIFY_SOCKET, and prints each. Node has no Unix datagram sockets. */
const RECEIVER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("listening", flush=True)
while True: print(s.recv(4096).decode(), flush=True)
`;

const systemdAnalyze = (...args: readonly string[]) =>
  execFileSync("systemd-analyze", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The system calls of a set, and of the sets that it includes. */
function systemCalls(set: string): Set<string> {
  const names = systemdAnalyze("syscall-filter", set)
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((name) => name !== "" && !name.startsWith("#"));
  return new Set(names.flatMap((name) => (name.startsWith("@") ? [...systemCalls(name)] : [name])));
}

describe("infra/systemd/geolookup.service", () => {
  it("passes systemd-analyze verify, and security with a low exposure", () => {
    const installed = join(tempFolder(), "geolookup.service");
    writeFileSync(installed, readFileSync(UNIT, "utf8").replaceAll("/opt/geolookup", REPOSITORY));
    expect(systemdAnalyze("verify", "--man=no", installed)).to.equal("");
    const security = systemdAnalyze("security", "--offline=yes", "--no-pager", installed);
    const exposure = Number(/Overall exposure level for geolookup\.service: ([\d.]+)/.exec(security)?.[1]);
    expect(exposure).to.be.at.most(MAX_EXPOSURE);
  });

  it("allows the system calls that standalone makes, and is notified when it is ready and when it stops", async function () {
    this.timeout(180_000);
    const folder = tempFolder();
    const summary = join(folder, "calls");
    // -D: the process that is started is Node, not strace.
    const strace = ["-D", "-f", "-qq", "-c", "-U", "name", "-o", summary, process.execPath];
    const socket = join(folder, "notify");
    const receiver = startProgram("python3", ["-c", RECEIVER, socket], {});
    await waitForOutput(receiver, "the socket", () => receiver.stdout().includes("listening") || undefined, 5_000);
    const settings = { ...baseSettings(), DATA_DIR: join(folder, "data"), PORT: "0", OPS_PORT: "0" };
    const environment = { ...settings, NOTIFY_SOCKET: socket };
    const child = startProgram("strace", [...strace, "services/standalone/src/main.ts"], environment);
    const ready = () => logLines(child.stderr()).find(({ msg }) => msg === "ready");
    const { port } = await waitForOutput(child, "standalone to be ready", ready, START_TIMEOUT_MS);
    expect((await send(`http://127.0.0.1:${port}`)).status).to.equal(200);
    await waitForOutput(receiver, "READY=1", () => receiver.stdout().includes("READY=1") || undefined, 5_000);
    await stopChild(child);
    expect(receiver.stdout()).to.include("STOPPING=1");
    await waitFor("strace's summary", () => existsSync(summary) && statSync(summary).size > 0, 10_000);
    receiver.kill("SIGKILL");
    const [, ...lines] = readFileSync(summary, "utf8").split("\n");
    const made = lines.filter((line) => /^\w+$/.test(line) && line !== "total");
    const allowed = systemCalls("@system-service");
    for (const name of systemCalls("@privileged")) allowed.delete(name);
    expect(made).to.include.members(["epoll_pwait", "mmap"]);
    expect(made.filter((name) => !allowed.has(name))).to.deep.equal([]);
  });
});
