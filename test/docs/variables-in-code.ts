import { globSync, readFileSync } from "node:fs";

/** Variables of the shell and of make. */
const SHELL_OWN = new Set(["HOME", "PATH", "PWD", "ARGS", "FILE", "CURDIR", "MAKEFILE_LIST", "MAKEOVERRIDES"]);

/**
 * Variables that a service's `readConfig` looks up. Every value is unset but LOG_LEVEL, which is invalid: it makes the
 * function throw before it reads anything that isn't a setting.
 */
export async function variablesOfService(service: string): Promise<Set<string>> {
  const { readConfig } = await import(`../../services/${service}/src/config.ts`);
  const { SECRETS } = await import("@geolookup/shared/runtime/env/env.ts");
  const read = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return name === "LOG_LEVEL" ? "invalid" : undefined;
      },
    },
  );
  try {
    readConfig(environment);
    throw new Error(`${service} accepts an invalid LOG_LEVEL`);
  } catch (error) {
    if (!/^bad configuration/.test((error as Error).message)) throw error;
  }
  // Files are looked for by the names of all secrets, also of those that this service doesn't have.
  for (const secret of SECRETS) if (!read.has(secret)) read.delete(`${secret}_FILE`);
  return read;
}

/** How sources name variables: members of schemas (`NAME: z.string()`), and properties of an environment. */
const IN_SOURCES = [
  /^\s*([A-Z][A-Z0-9_]*): [a-zA-Z.]+(?:\(|\n)/gm,
  /\b(?:env|environment)\.([A-Z][A-Z0-9_]*|npm_config_\w+)\b/g,
];
/** The third argument of `readEnvironment`: secrets that may come from files. */
const SECRETS_IN_FILES = /readEnvironment\([^;]*?, \w+, \[([^\]]*)\]/g;

/** Variables that the TypeScript sources of scripts, tools and the downloader of geo data name. */
export function variablesInScripts(): Set<string> {
  const names = new Set<string>();
  for (const path of globSync("{scripts,tools,services/geo-data}/**/*.ts", {
    exclude: (name) => name.endsWith(".test.ts"),
  })) {
    const text = readFileSync(path, "utf8");
    if (!/\b(readEnvironment|process\.env|environment)\b/.test(text)) continue;
    for (const pattern of IN_SOURCES) for (const [, name = ""] of text.matchAll(pattern)) names.add(name);
    for (const [, secrets = ""] of text.matchAll(SECRETS_IN_FILES))
      for (const [, name = ""] of secrets.matchAll(/"(\w+)"/g)) names.add(`${name}_FILE`);
  }
  return names;
}

/** Variables that shell scripts, the Makefile and health checks read, and don't set themselves. */
export function variablesInShell(): Set<string> {
  const names = new Set<string>();
  const paths = globSync(["{scripts,tools}/**/*.sh", "infra/haproxy/*.sh", "Makefile"]);
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    const own = new Set([...text.matchAll(/^(?:export )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name));
    for (const [, name = ""] of text.matchAll(/(?:\$[{(]?|\$\((?:setting|stored) )([A-Z][A-Z0-9_]+)/g))
      if (!own.has(name) && !SHELL_OWN.has(name)) names.add(name);
  }
  return names;
}

/** Variables that the Compose files take from `.env` and the shell: `${NAME}`, or `NAME:` to pass them on if they are set. */
export function variablesInComposeFiles(): Set<string> {
  const texts = ["docker-compose.yml", ...globSync("infra/compose/{ha,edge,site,standalone}.yml")].map((path) =>
    readFileSync(path, "utf8"),
  );
  const used = texts.join("\n").matchAll(/(?<!\$)\$\{([A-Z][A-Z0-9_]*|npm_config_registry)|^ +([A-Z][A-Z0-9_]*):$/gm);
  return new Set([...used].map(([, interpolated, passedOn]) => interpolated ?? passedOn ?? ""));
}
