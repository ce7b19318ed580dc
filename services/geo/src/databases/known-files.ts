import { z } from "zod";
import { DATA_KINDS, type DataKind } from "./data-kinds.ts";

/** Increase it whenever the check becomes stricter, so that files accepted earlier are checked again. */
const CHECK_VERSION = 1;

/** The kinds of data in files that passed the check, by SHA-256 (hexadecimal). */
export type KnownFiles = Readonly<Record<string, readonly DataKind[]>>;

/** The record of checked files that is stored with installed data. */
export const checkedFiles = z.object({
  check: z.number(),
  kindsBySha256: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.array(z.enum(DATA_KINDS))),
});

export type CheckedFiles = z.infer<typeof checkedFiles>;

/** Makes a record of files that have just passed the check. */
export function recordChecked(
  files: readonly { readonly sha256: string; readonly database: { readonly kinds: readonly DataKind[] } }[],
): CheckedFiles {
  const kinds = files.map(({ sha256, database }): [string, DataKind[]] => [sha256, [...database.kinds]]);
  return { check: CHECK_VERSION, kindsBySha256: Object.fromEntries(kinds) };
}

/** The files of a record that needn't be read in full again: those that passed this version of the check. */
export function knownFiles(checked: CheckedFiles | undefined): KnownFiles {
  return checked?.check === CHECK_VERSION ? checked.kindsBySha256 : {};
}

/** Marks a record as outdated if another user could have written it, so that its files are checked again. */
export function distrustUnless<Files extends CheckedFiles | undefined>(isOurs: boolean, checked: Files): Files {
  return checked === undefined || isOurs ? checked : { ...checked, check: 0 };
}

/** The kinds of data that the files of a record have together. */
export function kindsOfChecked({ kindsBySha256 }: CheckedFiles): DataKind[] {
  const known = new Set(Object.values(kindsBySha256).flat());
  return DATA_KINDS.filter((kind) => known.has(kind));
}
