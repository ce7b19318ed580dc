import type { Site } from "../site.ts";

/** What a deployment tells of itself, for pages rendered without one. */
export function testSite(told: Partial<Site> = {}): Site {
  return {
    docsUrl: "https://docs.geo.example.com",
    apiUrl: "https://geo.example.com",
    demoKey: null,
    keyless: { hourlyLimit: 60, ipv6Prefix: 64 },
    securityContacts: [],
    plans: () => null,
    databases: async () => null,
    ...told,
  };
}
