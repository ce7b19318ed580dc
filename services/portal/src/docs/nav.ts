/** Groups of pages in the navigation. */
export type Nav = readonly { title: string; pages: readonly { path: string; label: string }[] }[];

/** The navigation of the docs site. */
export const NAV: Nav = [
  {
    title: "Guide",
    pages: [
      { path: "/", label: "Overview" },
      { path: "/quick-start", label: "Quick start" },
      { path: "/authentication", label: "Authentication" },
      { path: "/fields", label: "Fields and plans" },
      { path: "/limits", label: "Limits" },
    ],
  },
  {
    title: "Reference",
    pages: [
      { path: "/errors", label: "Errors" },
      { path: "/reference", label: "API reference" },
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
];
