import { posix } from "node:path";

/** May import the client of NATS, as tests may. */
const NATS_USER = "services/shared/src/runtime/nats/";

/** Pure code, and what it must not import. */
const DOMAIN = "services/shared/src/domain/";
const NOT_FOR_DOMAIN = ["services/shared/src/runtime/", "services/shared/src/logs/"];

/** Starts real servers for tests; the tests of a service may use it. */
const HARNESS = "test/harness/";

const MAX_FILES_AT_ROOT = 15;

/** A room with more source files than this has a README, and so has every service. */
const MAX_FILES_WITHOUT_README = 6;

/**
 * Checks the imports of one file (CONTRIBUTING, "Layout").
 * @param path below the root of the repository.
 * @returns what is wrong, one line each.
 */
export function importProblems(path: string, text: string): string[] {
  return importedFrom(path, text).flatMap((imported) => {
    const from = serviceOf(path);
    const to = serviceOf(imported);
    const mayUseNats = isForTests(path) || path.startsWith(NATS_USER);
    if (imported.startsWith("@nats-io/") && !mayUseNats) return [`${path} imports ${imported}: only ${NATS_USER} may`];
    if (path.startsWith(DOMAIN) && !isForTests(path) && NOT_FOR_DOMAIN.some((folder) => imported.startsWith(folder)))
      return [`${path} imports ${imported}: domain/ is pure`];
    if (isProduction(path) && /^(?:test|tools)\//.test(imported))
      return [`${path} imports ${imported}: production code may import neither test/ nor tools/`];
    if (from === null || from === "standalone" || !imported.includes("/")) return [];
    // It checks databases as geo nodes do.
    if (from === "geo-data" && to === "geo") return [];
    // A geo node with GEO_DATA_FROM is composed here.
    if (path === "services/geo/src/main.ts" && to === "geo-data") return [];
    if (to !== null && to !== from && to !== "shared")
      return [`${path} imports the service ${to}: a service may import only shared`];
    const isAllowedOutside = isForTests(path) && imported.startsWith(HARNESS);
    if (to === null && /^(?:scripts|test|tools)\//.test(imported) && !isAllowedOutside)
      return [`${path} imports ${imported}: a service may import only shared`];
    return [];
  });
}

/** Finds services with too many files directly in `src`. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const folder of paths.map((path) => posix.dirname(path)).filter((name) => /^services\/[^/]+\/src$/.test(name)))
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) => {
    if (count <= MAX_FILES_AT_ROOT) return [];
    return [`${folder} has ${count} files; at most ${MAX_FILES_AT_ROOT} may be outside its folders`];
  });
}

/**
 * Finds services, and rooms with many source files, without a README of 10 to 40 lines.
 * @param paths all files.
 * @param linesOf the number of lines of a file.
 */
export function missingReadmes(paths: readonly string[], linesOf: (path: string) => number): string[] {
  const sources = paths.filter(
    (path) => /^(services|scripts|tools)\/.*\.(?:[cm]?[jt]s|sh)$/.test(path) && !isForTests(path),
  );
  const counts = new Map<string, number>();
  for (const folder of sources.map((path) => posix.dirname(path)).filter((name) => !name.includes("/generated")))
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const rooms = [...counts].flatMap(([room, count]) => (count > MAX_FILES_WITHOUT_README ? [room] : []));
  const services = sources.flatMap((path) => /^services\/[^/]+/.exec(path)?.[0] ?? []);
  // What is directly in `src` is described at the door of the service.
  const doors = new Set([...services, ...rooms.map((room) => room.replace(/^(services\/[^/]+)\/src$/, "$1"))]);
  const existing = new Set(paths);
  return [...doors].sort().flatMap((door) => {
    const readme = `${door}/README.md`;
    if (!existing.has(readme)) return [`${readme} is missing: ${door} needs a README of 10 to 40 lines`];
    const lines = linesOf(readme);
    return lines >= 10 && lines <= 40 ? [] : [`${readme} has ${lines} lines instead of 10 to 40`];
  });
}

/**
 * Finds pairs of a service's folders that import each other, outside tests. Its root isn't one of them: it composes the folders.
 * @param texts the files, by path.
 */
export function mutualImports(texts: ReadonlyMap<string, string>): string[] {
  const examples = new Map<string, string>();
  for (const [path, text] of texts) {
    if (serviceOf(path) === null || isForTests(path)) continue;
    for (const imported of importedFrom(path, text)) {
      const [from, to] = [posix.dirname(path), posix.dirname(imported)];
      if (serviceOf(imported) !== serviceOf(path) || from === to || [from, to].some((each) => each.endsWith("/src")))
        continue;
      examples.set(`${from} ${to}`, `${path} imports ${imported}`);
    }
  }
  return [...examples].flatMap(([pair, example]) => {
    const [from = "", to = ""] = pair.split(" ");
    const back = examples.get(`${to} ${from}`);
    return back === undefined || from > to ? [] : [`two folders import each other: ${example}, and ${back}`];
  });
}

/** What a file imports: paths below the root of the repository, and names of packages. */
function importedFrom(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers.map((specifier) => {
    if (specifier.startsWith(".")) return posix.join(posix.dirname(path), specifier);
    return specifier.replace(/^@geolookup\/([^/]+)\//, "services/$1/src/");
  });
}

function serviceOf(path: string): string | null {
  return /^services\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** What a deployment runs, rather than a developer. */
function isProduction(path: string): boolean {
  return /^(?:packages|scripts|services)\//.test(path) && !isForTests(path);
}

function isForTests(path: string): boolean {
  return /\.(test|suite)\.ts$/.test(path) || path.includes("/testing/") || path.startsWith("test/");
}
