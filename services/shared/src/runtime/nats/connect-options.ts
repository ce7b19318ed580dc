import { readFileSync } from "node:fs";
import { type Authenticator, type ConnectionOptions, credsAuthenticator } from "@nats-io/transport-node";
import { secretIn } from "../env/env.ts";
import { credentialsIn, type NatsAccess } from "./access.ts";

/**
 * The client's options for a connection.
 * @param url one `nats://[user:password@]host:port` or `tls://…`, or several, comma-separated.
 * @throws Error if the password or credentials file can't be read now.
 */
export function natsConnectOptions(url: string, access: NatsAccess): ConnectionOptions {
  const { credsFile, caFile, certFile, keyFile } = access;
  const [inUrl] = credentialsIn(url);
  const { user, password } = inUrl === undefined ? named(access) : decoded(inUrl);
  const files = Object.entries({ caFile, certFile, keyFile }).filter(([, path]) => path !== undefined);
  const isTls = files.length > 0 || /(^|,)tls:/i.test(url);
  return {
    servers: url.split(",").map((server) => server.replace(/^(\w+:\/\/)?[^@]*@/, "$1")),
    ...(user === undefined ? {} : password === undefined ? { token: user } : { user, pass: password }),
    ...(credsFile === undefined ? {} : { authenticator: credentialsOf(credsFile) }),
    // If set, the client refuses a server that doesn't offer TLS.
    ...(isTls ? { tls: Object.fromEntries(files) } : {}),
  };
}

function credentialsOf(path: string): Authenticator {
  return credsAuthenticator(readFileSync(path));
}

function named({ user, password, passwordFile }: NatsAccess): {
  user: string | undefined;
  password: string | undefined;
} {
  return { user, password: passwordFile === undefined ? password : secretIn(passwordFile) };
}

function decoded(credentials: string): { user: string; password: string | undefined } {
  const [user = "", ...rest] = credentials.split(":");
  return { user: decodeURIComponent(user), password: rest.length > 0 ? decodeURIComponent(rest.join(":")) : undefined };
}
