import { Gauge, type Registry } from "prom-client";
import { type Manifest, setName } from "./manifest.ts";

/**
 * A metric with the version of the data and a part of the hash of its databases as labels, which nodes and server with the same
 * data have in common.
 * @param current null: none yet.
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
