import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAuth } from "@geolookup/auth/auth.ts";
import type { KeyAdmin } from "@geolookup/auth/keys/key-admin.ts";
import { adminServices } from "@geolookup/auth/rpc/admin-services.ts";
import { adminOnly } from "@geolookup/shared/runtime/grpc/calls.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { tempFolder } from "../../../test/harness/temp-folder.ts";
import type { AddCommands } from "../../command-line.ts";
import { statusOf } from "../../run-command.ts";
import { addKeys } from "../command.ts";

export const TOKEN = "a-token-of-some-length";
/** The time for the service and the commands. */
const NOW = Date.UTC(2026, 0, 31, 23, 59, 59);

/** A fake usage service with the same counts for every key, all in January 2026. */
const usageService = serve(
  USAGE,
  {
    GetMonth: (request) => {
      if (request.month !== "2026-01") return request;
      const days = [
        { day: "2026-01-03", requests: 5 },
        { day: "2026-01-31", requests: 7 },
      ];
      const refusals = [{ code: "rate_limited", total: 3, days: [{ day: "2026-01-04", requests: 3 }] }];
      return { ...request, total: 12, days, refusals };
    },
  },
  { identify: adminOnly(TOKEN) },
);

/** A running service, with the admin.json that `make start` writes. */
export interface KeyService extends AsyncDisposable {
  dataDir: string;
  /** The gRPC target of its administration. */
  address: string;
  admin: KeyAdmin;
}

/** Starts auth's administration over real gRPC, with an admin.json in a temporary folder. */
export async function startKeyService(): Promise<KeyService> {
  const dataDir = tempFolder();
  const log = pino({ level: "silent" });
  const auth = await openAuth({
    ...{ dataDir, isOnlyProcess: true, keyUsage: null, log, registry: new Registry(), clock: () => NOW },
  });
  const services = [...adminServices(auth, TOKEN), usageService];
  const server = await startGrpcServer({ host: "127.0.0.1", port: 0, services, log });
  const address = `127.0.0.1:${server.port}`;
  writeFileSync(join(dataDir, "admin.json"), JSON.stringify({ address, token: TOKEN }));
  return {
    dataDir,
    address,
    admin: auth.admin,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await auth[Symbol.asyncDispose]();
    },
  };
}

/** Runs a key command. @returns its exit status and output. */
export async function runCommand(args: readonly string[], environment: NodeJS.ProcessEnv) {
  let out = "";
  let err = "";
  const add: AddCommands = (program, context, act) => addKeys(program, context, act, () => NOW);
  const status = await statusOf("geolookup", add, ["keys", ...args], {
    environment,
    print: (text) => {
      out += text;
    },
    printError: (text) => {
      err += text;
    },
  });
  return { status, out, err };
}

/** Runs a key command with --json. @returns its document. @throws Error if it failed. */
export async function runForJson({ dataDir }: KeyService, ...args: string[]) {
  const { status, out, err } = await runCommand([...args, "--json"], { DATA_DIR: dataDir });
  if (status !== 0 || err !== "") throw new Error(`keys ${args.join(" ")} ended with ${status}: ${err}`);
  return JSON.parse(out);
}
