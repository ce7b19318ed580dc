/** What readers call a page or a section, in words that it doesn't have or doesn't emphasize. By the ID of the section. */
export const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["/fields", "currency language languages postal zip code coordinates flag timezone asn eu"],
  ["/guides/cluster", "two several instances high availability ha scale"],
  ["/guides/configuration", "environment variables settings"],
  ["/guides/configuration#callers-and-limits", "TRUST_PROXY"],
  ["/guides/configuration#ports-and-tls", "change port health check healthz readyz probe"],
  ["/guides/content-security-policy", "csp sri integrity cdn script tag"],
  ["/guides/data#update-and-roll-back", "rollback downgrade"],
  ["/guides/front-end#before-you-go-live", "https mixed content production"],
  [
    "/guides/front-end#typescript-bundlers-and-frameworks",
    "npm package react vue svelte angular vite webpack esm module types",
  ],
  ["/guides/front-end#test-your-page", "mock fake playwright cypress jest vitest"],
  ["/guides/front-end#show-the-page-first", "timeout offline fallback loading"],
  ["/guides/kubernetes", "k8s helm"],
  ["/guides/metrics", "prometheus grafana monitoring observability"],
  ["/guides/capacity#memory", "memory usage ram"],
  ["/limits", "rate limit quota"],
  ["/limits#caching", "cache ttl"],
  ["/privacy", "gdpr consent cookie banner"],
]);
