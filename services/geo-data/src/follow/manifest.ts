import { hash } from "node:crypto";
import { MAX_DATABASE_BYTES } from "@geolookup/geo/databases/database.ts";
import { z } from "zod";

/** Where a geo data server has its list of files. It has the files themselves under their hashes. */
export const MANIFEST_PATH = "/manifest.json";
export const FILES_PATH = "/files/";
/** The path of the report about the databases in use. Where it is kept depends on their hashes. */
export const REPORT_PATH = "report.json";

export const MAX_MANIFEST_BYTES = 256 * 1024;
/** The maximum size of each file that comes with the databases: geofeeds and reports. */
export const MAX_BESIDE_BYTES = 100_000_000;
const MAX_SET_BYTES = 8 * 1024 ** 3;
const MAX_DATABASES = 16;
const MAX_BESIDE = 150;
const MAX_KEPT = 1_000;

/** All that a server may name, so that nothing is written anywhere else. Geo nodes know these files by these names. */
const BESIDE = [
  // Servers of the version before list computed time zones, too. They are ignored.
  /^time-zones\/[0-9a-f]{64}\.zones$/,
  /^geofeeds\/(?:[\w-][\w.-]{0,150}\.csv|\.downloads\.json)$/,
  /^(?:report|refresh)\.json$/,
];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Content by its hash, in hexadecimal. */
const content = z.object({ sha256, size: z.number().int().min(1).max(MAX_DATABASE_BYTES) });

const databaseFile = content.extend({ name: z.string().regex(/^[\w-][\w.-]{0,150}\.mmdb$/) });

const besideFile = content.extend({
  path: z.string().refine(isBeside),
  size: z.number().int().min(1).max(MAX_BESIDE_BYTES),
});

/** What a geo data server has: all databases of one version, and the files beside them. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** The server's name for the version: `v3`. Another server may use the same name for other data. */
  version: z.string().regex(/^v[1-9]\d{0,8}$/),
  /** In order of priority. */
  databases: z
    .array(databaseFile)
    .min(1)
    .max(MAX_DATABASES)
    .refine((files) => areDifferent(files.map(({ name }) => name)))
    .refine((files) => areDifferent(files.map(({ sha256 }) => sha256)))
    .refine((files) => files.reduce((sum, { size }) => sum + size, 0) <= MAX_SET_BYTES),
  beside: z
    .array(besideFile)
    .max(MAX_BESIDE)
    .refine((files) => areDifferent(files.map(({ path }) => path))),
  /**
   * Hashes of the databases in all versions that the server keeps. Followers delete versions with any other database, because a
   * license may require it.
   */
  kept: z.array(sha256).max(MAX_KEPT),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type Content = z.infer<typeof content>;
export type DatabaseFile = z.infer<typeof databaseFile>;

/** Whether a server may offer a file of this path beside the databases. */
export function isBeside(path: string): boolean {
  return BESIDE.some((pattern) => pattern.test(path));
}

function areDifferent(names: readonly string[]): boolean {
  // File systems of some machines ignore case.
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

/** A short name for a set of databases, the same wherever they are in use. */
export function setName(databases: readonly DatabaseFile[]): string {
  const lines = databases.map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  return hash("sha256", lines.join("")).slice(0, 12);
}
