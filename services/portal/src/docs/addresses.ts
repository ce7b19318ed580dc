import type { DeploymentInfo } from "../deployment/deployment-info.ts";

/** The deployment's addresses, or examples if they are unknown. */
export function urlsOrExamples({ apiUrl, docsUrl }: Pick<DeploymentInfo, "apiUrl" | "docsUrl">): {
  apiUrl: string;
  docsUrl: string;
} {
  return { apiUrl: apiUrl ?? "https://geo.example.com", docsUrl: docsUrl ?? "https://docs.geo.example.com" };
}
