import { createHash, createHmac } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SUMS = "SHA256SUMS";
const CODE = "SHA256SUMS.hmac";

/** Updates sizes, sums and authentication code to match an archive's files, as anyone with the backup key could. */
export function signArchive(folder: string, backupKeyFile: string): void {
  const files = readdirSync(folder).filter((file) => file !== SUMS && file !== CODE);
  const path = join(folder, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  for (const file of Object.keys(manifest.bytes ?? {})) manifest.bytes[file] = statSync(join(folder, file)).size;
  writeFileSync(path, JSON.stringify(manifest));
  sumArchive(folder, files);
  authenticateSums(folder, backupKeyFile);
}

/** Updates the sums, as anyone who can write to the folder could. */
export function sumArchive(
  folder: string,
  files = readdirSync(folder).filter((file) => file !== SUMS && file !== CODE),
): void {
  const sum = (file: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
  writeFileSync(join(folder, SUMS), files.map((file) => `${sum(file)}  ${file}\n`).join(""));
}

/** Writes the authentication code of the current sums. */
export function authenticateSums(folder: string, backupKeyFile: string): void {
  const hmac = (text: string) =>
    createHmac("sha256", readFileSync(backupKeyFile, "utf8").trim()).update(text).digest("hex");
  const id = hmac("geolookup backup key id").slice(0, 8);
  const code = hmac(`geolookup backup 2\n${readFileSync(join(folder, SUMS), "utf8")}`);
  writeFileSync(join(folder, CODE), `${id} ${code}\n`);
}
