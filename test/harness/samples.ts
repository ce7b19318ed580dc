import { readFileSync } from "node:fs";

/**
 * The code of a guide's one sample that contains a text. A test that runs a sample takes it from here, with literal arguments:
 * test/docs/samples.test.ts looks for these calls, and fails if a sample has none.
 * @param path such as `/back-end`, for `docs/site/back-end.md`.
 */
export function sample(path: string, text: string): string {
  const markdown = readFileSync(`docs/site${path}.md`, "utf8");
  const codes = Array.from(markdown.matchAll(/^```[^\n]*\n(.*?)\n```$/gms), ([, code = ""]) => code);
  return sampleWith(text, codes);
}

/** @throws Error if no sample contains the text, or several do. */
export function sampleWith(text: string, samples: readonly string[]): string {
  const [found, ...others] = samples.filter((code) => code.includes(text));
  if (found !== undefined && others.length === 0) return found;
  throw new Error(`${others.length === 0 ? "no sample contains" : "several samples contain"} ${text}`);
}

/** A guide's code with a deployment's addresses and a key. */
export function withOwnValues(
  code: string,
  { docsUrl, apiUrl }: { docsUrl: string; apiUrl: string },
  key: string,
): string {
  return code
    .replaceAll("https://docs.geo.example.com", docsUrl)
    .replaceAll("https://geo.example.com", apiUrl)
    .replace(/geo_[ps]k_…/, key);
}
