import { host } from "@geolookup/shared/runtime/env/addresses.ts";
import { port, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { checkPortIsFree } from "@geolookup/shared/runtime/http/listen.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";

/** Checks that the public port is free, before start.sh downloads anything. */
try {
  const { HOST, PORT } = readEnvironment(
    z.object({ HOST: host().default("127.0.0.1"), PORT: port().default(8080) }),
    process.env,
  );
  await checkPortIsFree({ host: HOST, port: PORT, setting: "PORT" });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`geolookup: ${error.message}\n`);
  process.exitCode = 1;
}
