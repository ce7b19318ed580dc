import { createTally, exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import { Gauge, type Registry } from "@prometheus-io/client";
import type { KeyRegistry } from "./keys/key-registry.ts";

/** Auth's metrics, registered once. */
export type AuthMetrics = ReturnType<typeof createAuthMetrics>;

export function createAuthMetrics(registry: Registry, keys: KeyRegistry) {
  new Gauge({
    name: "geolookup_auth_keys",
    help: "Keys in the registry: revoked, or not (active).",
    labelNames: ["status"],
    registers: [registry],
    collect() {
      let active = 0;
      for (const count of keys.plansInUse().values()) active += count;
      this.set({ status: "active" }, active);
      this.set({ status: "revoked" }, keys.all().length - active);
    },
  });
  exposeGauge(
    registry,
    "geolookup_auth_key_log_sequence",
    "Sequence of the last key event in the registry.",
    () => keys.position().sequence,
  );
  return {
    authorizations: createTally(registry, {
      name: "geolookup_auth_authorizations_total",
      help: "Keys checked, by outcome.",
      labelNames: ["outcome"],
    }),
    fileRefused: new Gauge({
      name: "geolookup_auth_file_refused",
      help: "1 while a configuration file is invalid and its previous content is in use.",
      labelNames: ["file"],
      registers: [registry],
    }),
    plansHeld: new Gauge({
      name: "geolookup_auth_plans_held",
      help: "1 while the plans file isn't in force, because its change would affect keys in use or usage is unavailable.",
      registers: [registry],
    }),
  };
}
