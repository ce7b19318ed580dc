import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { redisUrl } from "@geolookup/shared/runtime/env/addresses.ts";
import { pemFile } from "@geolookup/shared/runtime/env/files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";

/** The variables of a connection to Redis. Secrets among them: see SECRETS. */
export const REDIS_VARIABLES = {
  REDIS_URL: redisUrl().optional(),
  REDIS_PASSWORD: z.string().optional(),
  REDIS_CA_FILE: pemFile().optional(),
  REDIS_CERT_FILE: pemFile().optional(),
  REDIS_KEY_FILE: pemFile().optional(),
};

/** Where Redis is and how a gateway gets in. */
export interface RedisAccess {
  /** `redis://[user[:password]@]host[:port][/database]`, or `rediss://` for TLS. */
  url: string;
  /** When it does not stand in the URL. */
  password?: string | undefined;
  /** What the server's certificate is checked by, instead of the public authorities. */
  caFile?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
}

/**
 * Redis's part of a parsed environment.
 * @throws StartError for settings that contradict each other.
 */
export function redisAccess(env: z.infer<z.ZodObject<typeof REDIS_VARIABLES>>): RedisAccess {
  const url = env.REDIS_URL ?? "";
  const problems: string[] = [];
  if (env.REDIS_PASSWORD !== undefined && URL.canParse(url) && new URL(url).password !== "")
    problems.push("REDIS_PASSWORD: REDIS_URL has a password as well; keep one");
  for (const name of ["REDIS_CA_FILE", "REDIS_CERT_FILE"] as const)
    if (env[name] !== undefined && /^redis:/i.test(url))
      problems.push(`${name}: is for TLS; REDIS_URL must be rediss://`);
  if (problems.length > 0)
    throw new StartError(`bad configuration:\n${problems.map((each) => `  ${each}`).join("\n")}`);
  return {
    url,
    password: env.REDIS_PASSWORD,
    caFile: env.REDIS_CA_FILE,
    certFile: env.REDIS_CERT_FILE,
    keyFile: env.REDIS_KEY_FILE,
  };
}

/**
 * User, password and address apart, as the client takes them: one that is given a URL with a user leaves a password
 * beside it out.
 * @throws TypeError for a URL that is none.
 */
export function redisCredentials({ url, password }: RedisAccess) {
  const address = new URL(url);
  const [user, passwordInUrl] = [decodeURIComponent(address.username), decodeURIComponent(address.password)];
  address.username = "";
  address.password = "";
  const used = password ?? passwordInUrl;
  return {
    url: address.href,
    ...(user === "" ? {} : { username: user }),
    ...(used === "" ? {} : { password: used }),
  };
}

/** What TLS is spoken with: the files as they are now. @throws Error when one cannot be read. */
export function redisTls({ url, caFile, certFile, keyFile }: RedisAccess): Record<string, string> {
  const { hostname } = new URL(url);
  const tls: Record<string, string> = isIP(hostname) || hostname.startsWith("[") ? {} : { servername: hostname };
  for (const [name, path] of Object.entries({ ca: caFile, cert: certFile, key: keyFile }))
    if (path !== undefined) tls[name] = readFileSync(path, "utf8");
  return tls;
}
