import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";

export const IMPATIENCE = { attempts: 2, retryDelayMs: 1, silenceMs: 5_000, totalMs: 10_000, longestWaitMs: 2_000 };
export const NO_PROGRESS = { show: () => {}, end: () => {} };

/** A temporary folder for geo data, and ways to look into it. */
export function geoDataOnDisk() {
  const root = mkdtempSync(join(tmpdir(), "geolookup-geo-data-"));
  const folder = join(root, "geo");
  const names = (path: string) => (existsSync(path) ? readdirSync(path).sort() : []);
  const current = () => {
    const path = join(folder, "current.json");
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
  };
  /** A path in the folder of the version in use. */
  const pathOf = (file: string) => join(folder, "versions", current()?.version ?? "none", file);
  return {
    folder,
    current,
    pathOf,
    versions: () => names(join(folder, "versions")),
    /** The files of the version in use. */
    files: () => names(pathOf(".")),
    sources: () => JSON.parse(readFileSync(pathOf("sources.json"), "utf8")).sources,
    /** What runs left behind, but for downloads that are whole. */
    leftovers: () => names(join(folder, ".download")).filter((name) => name !== "lock" && !name.startsWith("staged-")),
    staged: () => names(join(folder, ".download")).filter((name) => name.startsWith("staged-")),
    lookUp: (file: string, ip: string): unknown => new Reader<Response>(readFileSync(pathOf(file))).get(ip),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The message of the StartError that a promise rejects with: one line. */
export async function oneLineOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(StartError);
  expect((error as StartError).message).to.not.include("\n");
  return (error as StartError).message;
}
