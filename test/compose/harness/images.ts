import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ReadEntry, t } from "tar";
import { tempFolder } from "../../harness/temp-folder.ts";
import { run, succeed } from "./run.ts";

/** A file, folder or link of an image. */
export interface ImageEntry {
  path: string;
  kind: "File" | "Directory" | "SymbolicLink" | "Link";
  /** Octal permissions. */
  mode: number;
  uid: number;
  gid: number;
  mtimeSeconds: number;
  /** SHA-256 of a file, target of a link, or empty for a folder. */
  content: string;
}

/**
 * Builds a target of infra/Dockerfile from a folder, and names the image. Compose builds it, as it does for clusters: its
 * BuildKit leaves out the stages that the target doesn't need.
 */
export async function buildImage(
  image: string,
  { folder, target, args }: { folder: string; target: string; args: Readonly<Record<string, string>> },
): Promise<void> {
  const build = { context: folder, dockerfile: "infra/Dockerfile", target, args, no_cache: true };
  const file = join(tempFolder(), "compose.json");
  writeFileSync(file, JSON.stringify({ services: { image: { image, build } } }));
  await succeed("docker", ["compose", "--project-name", "geolookup-image-test", "--file", file, "build", "image"]);
}

/** Every entry of an image's file system, by path. Reads it as the engine exports it, without running anything. */
export async function entriesOf(image: string): Promise<Map<string, ImageEntry>> {
  const container = (await succeed("docker", ["create", image, "nothing"])).trim();
  const entries = new Map<string, ImageEntry>();
  try {
    const child = spawn("docker", ["export", container], { stdio: ["ignore", "pipe", "inherit"] });
    const parser = t({ onReadEntry: (entry) => read(entry, entries) });
    await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.stdout.pipe(parser as unknown as NodeJS.WritableStream);
      parser.once("end", resolve).once("error", reject);
    });
  } finally {
    await run("docker", ["rm", "--force", container]);
  }
  return entries;
}

function read(entry: ReadEntry, entries: Map<string, ImageEntry>): void {
  const hash = createHash("sha256");
  entry.on("data", (chunk) => hash.update(chunk));
  entry.on("end", () => {
    const path = entry.path.replace(/\/$/, "");
    const kind = entry.type as ImageEntry["kind"];
    const content = kind === "File" ? hash.digest("hex") : (entry.linkpath ?? "");
    const { mode = 0, uid = 0, gid = 0, mtime } = entry;
    entries.set(path, { path, kind, mode, uid, gid, mtimeSeconds: (mtime?.getTime() ?? 0) / 1_000, content });
  });
}

/**
 * The base for images without a shell: the real one if it can be pulled, or else a stand-in with the same contents: glibc,
 * libstdc++, certificates and users, taken from the other base.
 * @returns its name, and whether it is the real one.
 */
export async function distrolessBase(name: string, nodeImage: string): Promise<{ image: string; isReal: boolean }> {
  if ((await run("docker", ["image", "inspect", name])).status === 0) return { image: name, isReal: true };
  if ((await run("docker", ["pull", "--quiet", name], {}, 120_000)).status === 0) return { image: name, isReal: true };
  const image = "geolookup-distroless-stand-in:test";
  const folder = tempFolder();
  writeFileSync(join(folder, "Dockerfile"), STAND_IN);
  await succeed("docker", ["build", "--quiet", "--tag", image, "--build-arg", `NODE_IMAGE=${nodeImage}`, folder]);
  return { image, isReal: false };
}

const STAND_IN = `ARG NODE_IMAGE
FROM \${NODE_IMAGE} AS libraries
RUN mkdir /out && cp --parents --dereference \\
    $(ldd /usr/local/bin/node | grep -o '/[^ ]*') /lib/*/libnss_dns.so.2 /lib/*/libnss_files.so.2 \\
    /etc/passwd /etc/group /etc/nsswitch.conf /etc/ssl/certs/ca-certificates.crt /out \\
  && mkdir -m 1777 /out/tmp
FROM scratch
COPY --from=libraries /out/ /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
USER 65532
`;
