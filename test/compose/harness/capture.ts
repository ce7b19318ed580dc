import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../harness/temp-folder.ts";
import { waitFor } from "../../harness/wait-for.ts";
import type { ComposeCluster } from "./compose-cluster.ts";
import { succeed } from "./run.ts";

const STARTED_WITHIN_MS = 10_000;

/**
 * Captures every packet on a network of the cluster with tcpdump, which needs root.
 * @returns the packets, as tcpdump writes them. @throws Error if it dropped packets.
 */
export async function capturePackets(
  { project }: ComposeCluster,
  network: string,
  work: () => Promise<unknown>,
): Promise<Buffer> {
  const id = await succeed("docker", ["network", "inspect", "--format", "{{.Id}}", `${project}_${network}`]);
  const file = join(tempFolder(), "packets.pcap");
  const options = ["--packet-buffered", "-s", "0", "-B", "65536", "-Z", "root", "-w", file];
  const child = spawn("tcpdump", ["-i", `br-${id.slice(0, 12)}`, ...options], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", () => reject(new Error("tcpdump is missing, and captures packets only as root")));
    child.once("close", () => resolve());
  });
  ended.catch(() => undefined);
  try {
    await Promise.race([
      waitFor("tcpdump to listen", () => said.includes("listening on"), STARTED_WITHIN_MS),
      ended.then(() => Promise.reject(new Error(`tcpdump: ${said}`))),
    ]);
    await work();
  } finally {
    child.kill("SIGINT");
    await ended;
  }
  if (!/^0 packets dropped by kernel/m.test(said)) throw new Error(`tcpdump: ${said}`);
  return readFileSync(file);
}
