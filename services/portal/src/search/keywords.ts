/** What readers call a page or a section, in words that it doesn't have or doesn't emphasize. By the ID of the section. */
export const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["/back-end#list-your-proxies", "behind a reverse proxy trustProxy trust load balancer nginx unix socket"],
  ["/reference#record", "fields currency language languages postal zip code coordinates flag timezone asn eu"],
  ["/console/guides/cluster", "two several instances high availability ha scale"],
  ["/console/guides/configuration", "environment variables settings"],
  ["/console/guides/configuration#callers-and-limits", "TRUST_PROXY"],
  ["/console/guides/configuration#ports-and-tls", "change port health check healthz readyz probe"],
  ["/front-end#content-security-policy", "csp sri integrity cdn script tag"],
  ["/console/guides/data#update-and-roll-back", "rollback downgrade"],
  ["/front-end#before-you-go-live", "https mixed content production"],
  [
    "/front-end#typescript-bundlers-and-frameworks",
    "npm package react vue svelte angular vite webpack esm module types",
  ],
  ["/front-end#test-your-page", "mock fake playwright cypress jest vitest"],
  ["/front-end#show-the-page-first", "timeout offline fallback loading"],
  ["/console/guides/kubernetes", "k8s helm"],
  ["/console/guides/monitor", "prometheus grafana monitoring observability"],
  ["/reference#limits", "rate limit quota"],
  ["/reference#caching", "cache ttl"],
  ["/privacy", "gdpr consent cookie banner"],
]);
