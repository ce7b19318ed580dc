import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { RequestHead } from "../../request/exchange.ts";
import { startSmallApp } from "../../testing/small-app.ts";

/** The public port in front of a portal, for tests of the docs host `docs.test`. The API needs no key. */
export async function startApp(
  portalUrl: string,
  addressOf: (req: RequestHead) => string = () => "192.0.2.7",
  portalTls: InternalTls | null = null,
) {
  const app = await startSmallApp({ addressOf, settings: { portalUrl, portalTls, maxConnections: 10_000 } });
  return {
    app,
    port: Number(new URL(app.url).port),
    /** A metric's current value; 0 if it's missing. @param line its name, with labels as exposed. */
    async metric(line: string): Promise<number> {
      const lines = (await app.registry.metrics()).split("\n");
      return Number(lines.find((each) => each.startsWith(`${line} `))?.slice(line.length) ?? 0);
    },
    [Symbol.asyncDispose]: app[Symbol.asyncDispose],
  };
}
