/** Groups of pages in the navigation. */
export type Nav = readonly { title: string; pages: readonly { path: string; label: string }[] }[];

/** The navigation of the docs site. */
export const NAV: Nav = [
  {
    title: "API",
    pages: [
      { path: "/", label: "Overview" },
      { path: "/quick-start", label: "Quick start" },
      { path: "/authentication", label: "Authentication" },
      { path: "/fields", label: "Fields and plans" },
      { path: "/limits", label: "Limits" },
      { path: "/errors", label: "Errors" },
      { path: "/reference", label: "API reference" },
    ],
  },
  {
    title: "Guides",
    pages: [
      { path: "/guides", label: "Where to start" },
      { path: "/guides/front-end", label: "Front end" },
      { path: "/guides/content-security-policy", label: "Content Security Policy" },
      { path: "/guides/back-end", label: "Back end" },
    ],
  },
  {
    title: "About",
    pages: [
      { path: "/privacy", label: "Privacy" },
      { path: "/data", label: "Data sources" },
      { path: "/changelog", label: "Changelog" },
    ],
  },
  {
    title: "For operators",
    pages: [
      { path: "/guides/architecture", label: "Architecture" },
      { path: "/guides/keys", label: "Manage keys" },
      { path: "/guides/limits", label: "Set limits" },
      { path: "/guides/data", label: "Geo data" },
      { path: "/guides/console", label: "Console" },
      { path: "/guides/docs-site", label: "Docs site" },
      { path: "/guides/compose", label: "Docker Compose" },
      { path: "/guides/cluster", label: "Run a cluster" },
      { path: "/guides/kubernetes", label: "Kubernetes" },
      { path: "/guides/proxies", label: "Proxies" },
      { path: "/guides/operations", label: "Operations" },
      { path: "/guides/metrics", label: "Metrics" },
      { path: "/guides/configuration", label: "Configuration" },
      { path: "/guides/troubleshooting", label: "Troubleshooting" },
      { path: "/guides/privacy", label: "Data protection" },
      { path: "/guides/security", label: "Security" },
      { path: "/guides/performance", label: "Performance" },
      { path: "/guides/capacity", label: "Capacity" },
      { path: "/guides/decisions", label: "Design decisions" },
    ],
  },
];
