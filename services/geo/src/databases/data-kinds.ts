import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** The kinds of data that a database can have about addresses. */
export const DATA_KINDS = ["places", "networks"] as const;
export type DataKind = (typeof DATA_KINDS)[number];

interface WithKinds {
  readonly kinds: readonly DataKind[];
}

/** The kinds of data that several databases have together. */
export function kindsOf(databases: readonly WithKinds[]): DataKind[] {
  return DATA_KINDS.filter((kind) => databases.some(({ kinds }) => kinds.includes(kind)));
}

/** What people read. `places` is in files and stays. */
const WORDS: Readonly<Record<DataKind, string>> = { places: "locations", networks: "networks" };

/** The kinds of data that were lost, in words; null if none was. */
export function lostKinds(before: readonly DataKind[], after: readonly DataKind[]): string | null {
  const lost = before.filter((kind) => !after.includes(kind));
  return lost.length > 0 ? lost.map((kind) => WORDS[kind]).join(" and ") : null;
}

/** Decides about databases that lost a kind of data: throws to refuse them, or returns to accept them. */
export type OnLoss = (problem: string) => void;

/** @throws StartError */
export const refuseLoss: OnLoss = (problem) => {
  throw new StartError(problem);
};

/** Compares a file with the previous one of the same name. */
export function compareKinds(path: string, before: readonly DataKind[], after: WithKinds, onLoss: OnLoss): void {
  const lost = lostKinds(before, after.kinds);
  if (lost !== null)
    onLoss(
      `the database file ${path} has no ${lost}, which the previous file had; replace it with a good copy, or set GEO_DATA_FORCE=on for one start to use it`,
    );
}
