import { z } from "zod";
import { natsUrl } from "../env/addresses.ts";
import { badConfiguration, pemFile, readableFile, wholeNumber } from "../env/env.ts";

/** The variables of everything that connects to NATS. For the secrets among them, see SECRETS. */
export const NATS_VARIABLES = {
  NATS_URL: natsUrl().optional(),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_PASSWORD_FILE: z.string().optional(),
  NATS_CREDS_FILE: readableFile().optional(),
  NATS_CA_FILE: pemFile().optional(),
  NATS_CERT_FILE: pemFile().optional(),
  NATS_KEY_FILE: pemFile().optional(),
};

/** The variables of services that store their state in their own files, or in NATS. */
export const STORE_VARIABLES = {
  STORES: z.enum(["embedded", "cluster"], "must be embedded or cluster").default("cluster"),
  ...NATS_VARIABLES,
  NATS_REPLICAS: wholeNumber(1, 5).default(1),
};

/** Credentials and certificates for NATS. Files are reread for every connection. */
export interface NatsAccess {
  user?: string | undefined;
  password?: string | undefined;
  /** File with the password, instead of `password`. */
  passwordFile?: string | undefined;
  /** File with a JWT and a seed; `nsc` calls it credentials. */
  credsFile?: string | undefined;
  /** CA that the server's certificate is checked against, instead of the public ones. Any of the three files requires TLS. */
  caFile?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
}

/**
 * The NATS settings of a parsed environment.
 * @throws StartError if there is more than one kind of credentials.
 */
export function natsAccess(env: z.infer<z.ZodObject<typeof NATS_VARIABLES>>): NatsAccess {
  const ways = [
    ...(credentialsIn(env.NATS_URL ?? "").length > 0 ? ["a user in NATS_URL"] : []),
    ...(env.NATS_USER === undefined ? [] : ["NATS_USER"]),
    ...(env.NATS_CREDS_FILE === undefined ? [] : ["NATS_CREDS_FILE"]),
  ];
  if (ways.length > 1) throw badConfiguration([`${ways.join(" and ")} are both set; keep one`]);
  if (new Set(credentialsIn(env.NATS_URL ?? "")).size > 1)
    throw badConfiguration(["NATS_URL: every server must have the same user and password"]);
  const access: NatsAccess = {
    user: env.NATS_USER,
    ...(env.NATS_PASSWORD_FILE === undefined
      ? { password: env.NATS_PASSWORD }
      : { passwordFile: env.NATS_PASSWORD_FILE }),
    credsFile: env.NATS_CREDS_FILE,
    caFile: env.NATS_CA_FILE,
    certFile: env.NATS_CERT_FILE,
    keyFile: env.NATS_KEY_FILE,
  };
  return Object.fromEntries(Object.entries(access).filter(([, value]) => value !== undefined));
}

/** `user:password`, or just a token, of each address that has them. */
export function credentialsIn(url: string): string[] {
  return url.split(",").flatMap((server) => /^(?:\w+:\/\/)?([^@]*)@/.exec(server)?.[1] ?? []);
}
