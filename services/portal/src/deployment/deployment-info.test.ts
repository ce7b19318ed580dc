import { expect } from "chai";
import { deriveApiUrl } from "./deployment-info.ts";

describe("deriveApiUrl", () => {
  const cases: [docsUrl: string, apiUrl: string | null][] = [
    ["http://docs.localhost:8080", "http://localhost:8080"],
    ["https://docs.geo.example.com", "https://geo.example.com"],
    ["https://DOCS.example.com", "https://example.com"],
    ["https://help.example.com", null],
    ["https://docs", null],
  ];
  for (const [docsUrl, apiUrl] of cases)
    it(`derives ${apiUrl} from ${docsUrl}`, () => {
      expect(deriveApiUrl(docsUrl)).to.equal(apiUrl);
    });
});
