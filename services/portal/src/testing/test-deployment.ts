import type { DeploymentInfo } from "../deployment/deployment-info.ts";

/** An example deployment, with changes. */
export function testDeployment(changes: Partial<DeploymentInfo> = {}): DeploymentInfo {
  return {
    docsUrl: "https://docs.geo.example.com",
    apiUrl: "https://geo.example.com",
    demoKey: null,
    keyless: { hourlyLimit: 60, ipv6Prefix: 64 },
    site: { name: "Geolocation API", contact: null, terms: null, hasConsole: true, selfService: "on" },
    securityContacts: [],
    plans: () => null,
    databases: async () => null,
    nextRefreshAt: async () => null,
    report: async () => "none",
    ...changes,
  };
}
