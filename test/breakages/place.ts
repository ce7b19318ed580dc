import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Breakage } from "./breakage.ts";

const SOURCES = "**/*.{ts,js,sh}";
/** Code that only tests use. */
const TEST_CODE = /(\.test|\.suite)\.ts$|\/testing\//;

/** Where a breakage applies. */
export interface Place {
  /** Relative to the repository. */
  file: string;
  start: number;
  end: number;
}

/**
 * Finds the one place where a breakage applies.
 * @throws Error when the code is missing, or occurs more than once.
 */
export function placeOf(breakage: Breakage, repository: string): Place {
  const pattern = new RegExp(breakage.find.trim().split(/\s+/).map(RegExp.escape).join("\\s+"), "g");
  const places = filesIn(breakage.in, repository).flatMap((file) =>
    [...readFileSync(join(repository, file), "utf8").matchAll(pattern)].map(({ index, 0: { length } }) => ({
      file,
      start: index,
      end: index + length,
    })),
  );
  const [place, ...others] = places;
  if (!place) throw new Error(`\`${breakage.find}\` does not occur in ${breakage.in}`);
  if (others.length > 0) throw new Error(`\`${breakage.find}\` occurs ${places.length} times in ${breakage.in}`);
  return place;
}

/** The test files that must catch a breakage, relative to the repository. @throws Error when a glob matches nothing. */
export function testsOf({ tests }: Breakage, repository: string): string[] {
  return tests.flatMap((glob) => {
    const found = globSync(glob, { cwd: repository }).filter((file) => file.endsWith(".test.ts"));
    if (found.length === 0) throw new Error(`no test file matches ${glob}`);
    return found.sort();
  });
}

function filesIn(path: string, repository: string): string[] {
  const full = join(repository, path);
  if (!statSync(full, { throwIfNoEntry: false })) throw new Error(`there is no ${path}`);
  if (!statSync(full).isDirectory()) return [path];
  return globSync(SOURCES, { cwd: full, exclude: (name) => name === "node_modules" })
    .map((file) => join(path, file))
    .filter((file) => !TEST_CODE.test(file));
}
