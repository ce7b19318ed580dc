/** Groups of pages in the navigation. */
export type Nav = readonly { title: string; pages: readonly { path: string; label: string }[] }[];

/** The navigation of the docs site: each page answers one question of those who call the API. */
export const NAV: Nav = [
  {
    title: "API",
    pages: [
      { path: "/", label: "Start" },
      { path: "/front-end", label: "Front end" },
      { path: "/back-end", label: "Back end" },
      { path: "/reference", label: "API reference" },
      { path: "/errors", label: "Errors" },
      { path: "/data", label: "Data" },
      { path: "/privacy", label: "Privacy" },
      { path: "/coming-from", label: "Coming from another service" },
      { path: "/changelog", label: "Changelog" },
    ],
  },
];

/** The navigation of the guides for operators, in the console. */
export const GUIDES_NAV: Nav = [
  {
    title: "Guides",
    pages: [
      { path: "/console/guides", label: "Where to start" },
      { path: "/console/guides/architecture", label: "Architecture" },
      { path: "/console/guides/keys", label: "Manage keys" },
      { path: "/console/guides/limits", label: "Set limits" },
      { path: "/console/guides/data", label: "Geo data" },
      { path: "/console/guides/console", label: "Console" },
      { path: "/console/guides/docs-site", label: "Docs site" },
      { path: "/console/guides/compose", label: "Docker Compose" },
      { path: "/console/guides/cluster", label: "Run a cluster" },
      { path: "/console/guides/kubernetes", label: "Kubernetes" },
      { path: "/console/guides/proxies", label: "Proxies" },
      { path: "/console/guides/operations", label: "Operations" },
      { path: "/console/guides/metrics", label: "Metrics" },
      { path: "/console/guides/configuration", label: "Configuration" },
      { path: "/console/guides/troubleshooting", label: "Troubleshooting" },
      { path: "/console/guides/api", label: "API" },
      { path: "/console/guides/privacy", label: "Data protection" },
      { path: "/console/guides/security", label: "Security" },
    ],
  },
  {
    title: "Console",
    pages: [
      { path: "/console", label: "Overview" },
      { path: "/", label: "Docs site" },
    ],
  },
];
