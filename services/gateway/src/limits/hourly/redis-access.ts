import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { redisUrl } from "@geolookup/shared/runtime/env/addresses.ts";
import { badConfiguration, pemFile, secretIn } from "@geolookup/shared/runtime/env/env.ts";
import { z } from "zod";

/** The variables of the Redis connection. */
export const REDIS_VARIABLES = {
  REDIS_URL: redisUrl().optional(),
  REDIS_PASSWORD: z.string().optional(),
  REDIS_CA_FILE: pemFile().optional(),
  REDIS_CERT_FILE: pemFile().optional(),
  REDIS_KEY_FILE: pemFile().optional(),
};

/** The address and credentials of Redis. */
export interface RedisAccess {
  /** `redis://[user[:password]@]host[:port][/database]`, or `rediss://` for TLS. */
  url: string;
  /** If it isn't in the URL. */
  password?: string | undefined;
  /** Where the URL or the password was read from. */
  urlFile?: string | undefined;
  passwordFile?: string | undefined;
  /** The CA that signed the server's certificate; undefined: the public CAs. */
  caFile?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
}

/**
 * Reads the Redis settings of a parsed environment.
 * @param environment has the paths of files with secrets.
 * @throws StartError if settings contradict each other.
 */
export function redisAccess(
  env: z.infer<z.ZodObject<typeof REDIS_VARIABLES>>,
  environment: NodeJS.ProcessEnv = {},
): RedisAccess {
  const url = env.REDIS_URL ?? "";
  const problems: string[] = [];
  if (env.REDIS_PASSWORD !== undefined && URL.canParse(url) && new URL(url).password !== "")
    problems.push("REDIS_PASSWORD: REDIS_URL also has a password; remove one");
  for (const name of ["REDIS_CA_FILE", "REDIS_CERT_FILE"] as const)
    if (env[name] !== undefined && /^redis:/i.test(url))
      problems.push(`${name}: requires TLS; REDIS_URL must start with rediss://`);
  if (problems.length > 0) throw badConfiguration(problems);
  return {
    url,
    password: env.REDIS_PASSWORD,
    urlFile: environment.REDIS_URL_FILE || undefined,
    passwordFile: environment.REDIS_PASSWORD_FILE || undefined,
    caFile: env.REDIS_CA_FILE,
    certFile: env.REDIS_CERT_FILE,
    keyFile: env.REDIS_KEY_FILE,
  };
}

/** The same access with the URL and the password that its files have by now, if they are valid. */
export function currentAccess(access: RedisAccess): RedisAccess {
  const { urlFile, passwordFile } = access;
  try {
    const url = urlFile === undefined ? access.url : redisUrl().parse(secretIn(urlFile));
    return { ...access, url, password: passwordFile === undefined ? access.password : secretIn(passwordFile) };
  } catch {
    // For example while they are being replaced.
    return access;
  }
}

/**
 * User, password and address as separate client options: the client ignores a separate password if the URL has a user.
 * @throws TypeError if the URL is invalid.
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

/** The TLS options, with the current content of the files. @throws Error if a file isn't readable. */
export function redisTls({ url, caFile, certFile, keyFile }: RedisAccess): Record<string, string> {
  const { hostname } = new URL(url);
  const tls: Record<string, string> = isIP(hostname) || hostname.startsWith("[") ? {} : { servername: hostname };
  for (const [name, path] of Object.entries({ ca: caFile, cert: certFile, key: keyFile }))
    if (path !== undefined) tls[name] = readFileSync(path, "utf8");
  return tls;
}
