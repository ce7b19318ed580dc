/** The pages of the docs site, as its navigation shows them. */
export const NAV: readonly { title: string; pages: readonly { path: string; label: string }[] }[] = [
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
