import type { Site } from "../site.ts";

/** The deployment's addresses, or examples in place of those that nobody has told. */
export function placeholders({ apiUrl, docsUrl }: Pick<Site, "apiUrl" | "docsUrl">): {
  apiUrl: string;
  docsUrl: string;
} {
  return { apiUrl: apiUrl ?? "https://geo.example.com", docsUrl: docsUrl ?? "https://docs.geo.example.com" };
}
