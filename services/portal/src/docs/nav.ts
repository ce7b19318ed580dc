/** Groups of pages in the navigation. `about` says what a page is about, for lists of pages elsewhere. */
export type Nav = readonly { title: string; pages: readonly { path: string; label: string; about?: string }[] }[];

/** The navigation of the docs site: each page answers one question of those who call the API. */
export const NAV: Nav = [
  {
    title: "API",
    pages: [
      { path: "/", label: "Start", about: "the first request" },
      { path: "/front-end", label: "Front end", about: "locate the visitors of a web page" },
      { path: "/back-end", label: "Back end", about: "locate visitors from a server, also behind proxies" },
      { path: "/reference", label: "API reference", about: "request, record, headers, plans and limits" },
      { path: "/errors", label: "Errors", about: "each code with its causes and fixes" },
      { path: "/data", label: "Data", about: "sources of the data, their age, and how to credit them" },
      { path: "/privacy", label: "Privacy", about: "what is stored" },
      {
        path: "/coming-from",
        label: "Coming from another service",
        about: "what differs from IPinfo, ipdata, ipapi and Cloudflare",
      },
      { path: "/changelog", label: "Changelog", about: "what changed for callers" },
    ],
  },
];

/** The navigation of the guides for operators, in the console. */
export const GUIDES_NAV: Nav = [
  {
    title: "Guides",
    pages: [
      { path: "/console/guides", label: "Where to start" },
      { path: "/console/guides/install", label: "Install" },
      { path: "/console/guides/compose", label: "Docker Compose" },
      { path: "/console/guides/cluster", label: "Run a cluster" },
      { path: "/console/guides/kubernetes", label: "Kubernetes" },
      { path: "/console/guides/production", label: "Production" },
      { path: "/console/guides/sign-in", label: "Sign in to the console" },
      { path: "/console/guides/keys", label: "Keys" },
      { path: "/console/guides/admin-api", label: "Admin API" },
      { path: "/console/guides/limits", label: "Plans and limits" },
      { path: "/console/guides/operators", label: "Operators and audit trail" },
      { path: "/console/guides/data", label: "Geo data" },
      { path: "/console/guides/backup", label: "Backup and restore" },
      { path: "/console/guides/upgrade", label: "Upgrade" },
      { path: "/console/guides/monitor", label: "Monitor" },
      { path: "/console/guides/troubleshooting", label: "Troubleshooting" },
      { path: "/console/guides/configuration", label: "Configuration" },
      { path: "/console/guides/security", label: "Security" },
      { path: "/console/guides/architecture", label: "How it works" },
      { path: "/console/guides/api", label: "API" },
    ],
  },
  {
    title: "Proxies",
    pages: [
      { path: "/console/guides/proxies", label: "Edge port" },
      { path: "/console/guides/proxies/nginx", label: "nginx" },
      { path: "/console/guides/proxies/caddy", label: "Caddy" },
      { path: "/console/guides/proxies/haproxy", label: "HAProxy" },
      { path: "/console/guides/proxies/envoy", label: "Envoy" },
      { path: "/console/guides/proxies/traefik", label: "Traefik" },
      { path: "/console/guides/proxies/cloudflare-headers", label: "Cloudflare's header names" },
      { path: "/console/guides/proxies/analytics", label: "Umami, Plausible and Matomo" },
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
