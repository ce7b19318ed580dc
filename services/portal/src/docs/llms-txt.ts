import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { urlsOrExamples } from "./examples.ts";
import { NAV } from "./nav.ts";

/** The path of a page's Markdown. */
export function markdownPath(path: string): string {
  return path === "/" ? "/index.md" : `${path}.md`;
}

/** The index of the docs for language models (https://llmstxt.org): every page in Markdown, and the OpenAPI description. */
export function llmsTxt(deployment: Pick<DeploymentInfo, "apiUrl" | "docsUrl" | "site">): string {
  const { apiUrl, docsUrl } = urlsOrExamples(deployment);
  const pages = NAV.flatMap(({ pages }) => pages).map(
    ({ path, label, about }) => `- [${label}](${docsUrl}${markdownPath(path)})${about ? `: ${about}` : ""}`,
  );
  return `# ${deployment.site.name}

> \`GET ${apiUrl}/v1/geo\` returns the location of the IP address that sends the request, as one JSON object.

## Docs

${pages.join("\n")}
- [OpenAPI description](${docsUrl}/openapi.json): the same for programs, OpenAPI 3.1
`;
}
