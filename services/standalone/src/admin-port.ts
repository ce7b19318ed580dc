import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServedService } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Registry } from "@prometheus-io/client";

export interface AdminPort extends AsyncDisposable {
  /** `127.0.0.1:PORT`. */
  address: string;
  token: string;
  /** The file with both. */
  file: string;
}

/**
 * Serves administration on a free loopback port, and writes its address and token to `DATA_DIR/admin.json` (mode 0600),
 * where `./geolookup keys` finds them.
 * @param options.adminToken null: a random one for the lifetime of the process.
 */
export async function openAdminPort(options: {
  dataDir: string;
  adminToken: string | null;
  services: (adminToken: string) => readonly ServedService[];
  log: Logger;
  registry: Registry;
}): Promise<AdminPort> {
  const token = options.adminToken ?? randomBytes(32).toString("base64url");
  const server = await startGrpcServer({
    host: "127.0.0.1",
    port: 0,
    services: options.services(token),
    log: options.log,
    registry: options.registry,
  });
  const file = join(options.dataDir, "admin.json");
  // Writing to an existing file would keep its mode.
  rmSync(file, { force: true });
  const address = `127.0.0.1:${server.port}`;
  writeFileSync(file, `${JSON.stringify({ address, token })}\n`, { mode: 0o600 });
  server.setServing(true);
  return {
    address,
    token,
    file,
    [Symbol.asyncDispose]: async () => {
      try {
        rmSync(file, { force: true });
      } catch (error) {
        // The disk is read-only, for example. Its token is worthless once the port is closed.
        options.log.warn({ err: error }, "file of the administration port not removed");
      }
      await server[Symbol.asyncDispose]();
    },
  };
}
