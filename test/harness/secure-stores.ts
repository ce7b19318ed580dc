import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { NatsAccess } from "../../services/shared/src/runtime/nats/access.ts";
import { testAuthority } from "./certificates.ts";
import type { Settings } from "./deployment.ts";
import { tempFolder } from "./temp-folder.ts";

const NATS_CONFIGS = fileURLToPath(new URL("../../infra/nats/", import.meta.url));

/** The users of infra/nats/accounts.conf. */
export type NatsUser = "gateway" | "auth" | "usage" | "setup" | "operator";

/** Redis and NATS with passwords and mutual TLS, with new certificates. */
export interface SecureStores {
  nats: {
    /** Path of the server's configuration: the tests' own, the product's accounts, and TLS. */
    config: string;
    /** The same with the users of the version before. */
    usersConfig: string;
    /** The server's environment. */
    environment: Settings;
    passwordOf(user: NatsUser): string;
    /** The settings of a service with that user. */
    settingsOf(user: NatsUser): Settings;
    /** Credentials and certificates of the operator, for a test's own client. */
    operatorAccess(): NatsAccess;
  };
  redis: {
    password: string;
    /** The server's arguments, for a TLS port only. */
    argsFor(port: number): string[];
    /** The settings of a gateway. */
    settings: Settings;
    /** Additional options for a test's own client. */
    tls(): { ca: string; cert: string; key: string };
  };
}

let shared: SecureStores | undefined;

/** Shared by all secure clusters of this process. */
export function secureStores(): SecureStores {
  shared ??= makeSecureStores();
  return shared;
}

function makeSecureStores(): SecureStores {
  const folder = tempFolder();
  const authority = testAuthority();
  const [server, client] = [authority.issue(), authority.issue({ names: [] })];
  const passwords: Record<NatsUser, string> = {
    gateway: password(),
    auth: password(),
    usage: password(),
    setup: password(),
    operator: password(),
  };
  const redisPassword = password();
  const files = {
    natsConfig: join(folder, "nats.conf"),
    natsUsersConfig: join(folder, "nats-users.conf"),
    redisPassword: join(folder, "redis-password"),
    natsPassword: (user: NatsUser) => join(folder, `nats-${user}-password`),
  };
  // NATS accepts only relative paths in includes.
  const include = (name: string) => `include "${relative(folder, join(NATS_CONFIGS, name))}"\n`;
  const tls = `cert_file: "${server.certFile}", key_file: "${server.keyFile}", ca_file: "${authority.caFile}"`;
  for (const [file, users] of [
    [files.natsConfig, "accounts.conf"],
    [files.natsUsersConfig, "users.conf"],
  ] as const)
    writeFileSync(file, `${include("test.conf")}${include(users)}tls { ${tls}, verify: true, timeout: 5 }\n`);
  writeFileSync(files.redisPassword, `${redisPassword}\n`, { mode: 0o600 });
  for (const [user, text] of Object.entries(passwords))
    writeFileSync(files.natsPassword(user as NatsUser), text, { mode: 0o600 });
  const clientFiles = (store: "NATS" | "REDIS") => ({
    [`${store}_CA_FILE`]: authority.caFile,
    [`${store}_CERT_FILE`]: client.certFile,
    [`${store}_KEY_FILE`]: client.keyFile,
  });
  return {
    nats: {
      config: files.natsConfig,
      usersConfig: files.natsUsersConfig,
      environment: Object.fromEntries(
        Object.entries(passwords).map(([user, text]) => [`NATS_${user.toUpperCase()}_PASSWORD`, text]),
      ),
      passwordOf: (user) => passwords[user],
      settingsOf: (user) => ({
        NATS_USER: user,
        NATS_PASSWORD_FILE: files.natsPassword(user),
        ...clientFiles("NATS"),
      }),
      operatorAccess: () => ({
        user: "operator",
        password: passwords.operator,
        caFile: authority.caFile,
        certFile: client.certFile,
        keyFile: client.keyFile,
      }),
    },
    redis: {
      password: redisPassword,
      argsFor: (port) => [
        ...["--port", "0", "--tls-port", `${port}`, "--requirepass", redisPassword, "--tls-auth-clients", "yes"],
        ...["--tls-cert-file", server.certFile, "--tls-key-file", server.keyFile],
        ...["--tls-ca-cert-file", authority.caFile],
      ],
      settings: { REDIS_PASSWORD_FILE: files.redisPassword, ...clientFiles("REDIS") },
      tls: () => ({
        ca: authority.ca,
        cert: readFileSync(client.certFile, "utf8"),
        key: readFileSync(client.keyFile, "utf8"),
      }),
    },
  };
}

/** Starts with a letter, because NATS would parse a leading digit as a number. */
function password(): string {
  return `p${randomBytes(12).toString("hex")}`;
}
