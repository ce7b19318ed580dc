import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clientOf } from "./client.ts";
import type { Deployment, Settings } from "./deployment.ts";
import { keyAdministration } from "./key-commands.ts";
import { startService } from "./service.ts";
import { baseSettings } from "./settings.ts";
import { tempFolder } from "./temp-folder.ts";

/** Starts the product as one process; resolves when it logs that it is ready. */
export async function startStandalone(settings: Settings = {}): Promise<Deployment> {
  const environment: Settings & { DATA_DIR: string } = { DATA_DIR: tempFolder(), ...baseSettings(), ...settings };
  const standalone = startService("standalone", environment);
  const ready = await standalone.ready();
  const scheme = environment.TLS_CERT_FILE ? "https" : "http";
  const url = `${scheme}://127.0.0.1:${ready.port}`;
  const docsUrl = settings.DOCS_URL ?? `${scheme}://docs.localhost:${ready.port}`;
  const docsHost = new URL(docsUrl).host;
  const stop = async () => {
    const code = await standalone.stop();
    if (code !== 0) throw new Error(`standalone ended with status ${code}:\n${standalone.stderr()}`);
  };
  return {
    url,
    opsUrls: [`http://127.0.0.1:${ready.opsPort}`],
    docsUrl,
    docsHost,
    portalUrl: `http://127.0.0.1:${ready.portalPort}`,
    adminToken: JSON.parse(readFileSync(join(environment.DATA_DIR, "admin.json"), "utf8")).token,
    dataDir: environment.DATA_DIR,
    output: () => standalone.stdout() + standalone.stderr(),
    peer: "127.0.0.1",
    send: clientOf(url, docsHost, standalone),
    ...keyAdministration({ DATA_DIR: environment.DATA_DIR }, standalone),
    stop,
    [Symbol.asyncDispose]: async () => {
      if (!standalone.hasEnded()) await stop();
    },
    kill: async () => {
      standalone.kill("SIGKILL");
      await standalone.exited;
    },
  };
}
