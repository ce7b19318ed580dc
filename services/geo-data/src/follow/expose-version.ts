import { Gauge, type Registry } from "@prometheus-io/client";
import { type Manifest, setName } from "./manifest.ts";

/**
 * A metric labeled with the version of the data and part of its databases' hash. The labels of nodes and server are equal if
 * their data is.
 * @param current null if there is no data yet.
 */
export function exposeVersion(
  { name, help }: { name: string; help: string },
  registry: Registry,
  current: () => Pick<Manifest, "version" | "databases"> | null,
): void {
  new Gauge({
    name,
    help,
    labelNames: ["version", "set"],
    registers: [registry],
    collect() {
      this.reset();
      const manifest = current();
      if (manifest) this.set({ version: manifest.version, set: setName(manifest.databases) }, 1);
    },
  });
}
