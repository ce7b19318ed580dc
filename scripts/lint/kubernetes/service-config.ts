import { readConfig as readAuth } from "@geolookup/auth/config.ts";
import { readConfig as readGateway } from "@geolookup/gateway/config.ts";
import { readConfig as readGeo } from "@geolookup/geo/config.ts";
import { readConfig as readPortal } from "@geolookup/portal/config.ts";
import { readConfig as readUsage } from "@geolookup/usage/config.ts";
import { readServeConfig } from "../../geo-data/serve/config.ts";
import { environmentOf, withoutFiles } from "./environment.ts";
import { componentOf, type Json, type KubernetesObject, nameOf } from "./objects.ts";

/** How each service reads its environment. */
export const SERVICES: Record<string, (environment: Record<string, string>) => { port: number; opsPort: number }> = {
  gateway: readGateway,
  auth: readAuth,
  geo: readGeo,
  portal: readPortal,
  "geo-data": readServeConfig,
  usage: readUsage,
};

/** The edge port in overlays/edge. Gateways open it if the settings have EDGE_PORT. */
const EDGE_PORT = 8090;

const IN_TOOLS_IMAGE = ["geo-data", "nats-setup", "tools"];

/** Reads a pod's environment with its service's own configuration. Values must be valid, and its ports must match. */
export function configProblems(workload: KubernetesObject, objects: readonly KubernetesObject[]): string[] {
  const component = componentOf(workload);
  const [{ ports = [], image }] = workload.spec.template.spec.containers;
  const environment = environmentOf(workload, objects);
  const open = ports.map(({ containerPort }: Json) => containerPort).sort();
  const service = SERVICES[component];
  const problems: string[] = [];
  const expectedImage = `geolookup-${IN_TOOLS_IMAGE.includes(component) ? "tools" : component}`;
  if (image.replace(/^.*\//, "").replace(/:.*/, "") !== expectedImage)
    problems.push(`its image must be ${expectedImage}`);
  if (service) {
    try {
      const config = service(withoutFiles(environment));
      const edge = component === "gateway" ? [Number(environment.EDGE_PORT || EDGE_PORT)] : [];
      const needed = [config.port, config.opsPort, ...edge].sort();
      if (String(open) !== String(needed))
        problems.push(`has the ports ${open.join(" and ")}; the service listens on ${needed.join(" and ")}`);
    } catch (error) {
      problems.push((error as Error).message.replaceAll("\n", " "));
    }
  }
  return problems.map((problem) => `${nameOf(workload)}: ${problem}`);
}
