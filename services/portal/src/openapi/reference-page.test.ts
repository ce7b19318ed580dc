import { expect } from "chai";
import { attributes, servePortal, textOf } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { openApiDocument } from "./document.ts";
import { referencePage } from "./reference-page.ts";

const deployment = testDeployment();

describe("the API reference", () => {
  const markup = referencePage(deployment);
  const shown = normalized(textOf(markup));

  it("shows every description, name and example in the OpenAPI description", () => {
    const document = JSON.parse(JSON.stringify(openApiDocument(deployment)));
    let checked = 0;
    const look = (value: unknown, path: string) => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, member] of Object.entries(value)) {
        const at = `${path}/${name}`;
        if (/\/(?:headers|properties|securitySchemes)$/.test(path) || /\/schemas\/GeoRecord\/properties$/.test(path))
          if (!path.includes("securitySchemes") && name !== "error") expectShown(name, at);
        if ((name === "description" || name === "summary") && typeof member === "string" && path !== "/info") {
          for (const paragraph of member.split("\n\n")) expectShown(paragraph, at);
          checked += 1;
        }
        if (/\/examples\/\w+$/.test(path) && name === "value") expectShown(JSON.stringify(member), at);
        look(member, at);
      }
    };
    const expectShown = (text: string, at: string) => expect(shown, at).to.include(normalized(text));
    look(document, "");
    for (const paragraph of document.info.description.split("\n\n")) expectShown(paragraph, "/info");
    expect(checked).to.be.above(60);
    for (const place of ["key", "Authorization: Bearer", "X-API-Key"]) expectShown(place, "securitySchemes");
    for (const url of ["https://geo.example.com/v1/geo", "https://geo.example.com/"]) expectShown(url, "paths");
  });

  it("links every error code, and has the worked example filled in", () => {
    for (const code of ["missing_key", "rate_limited", "internal_error"])
      expect(attributes(markup, "href")).to.include(`/errors/${code}`);
    expect(attributes(markup, "value")).to.deep.equal(["country,countryName"]);
    expect(attributes(markup, "data-endpoint")).to.deep.equal(["https://geo.example.com/v1/geo"]);
    expect(shown).to.include(normalized('{"country":"GB","countryName":"United Kingdom"}'));
  });

  it("says whether a key is required, and that nothing can be sent if the API's address is unknown", () => {
    expect(textOf(markup)).to.include("Optional. Send your key");
    const keyed = testDeployment({ keyless: { hourlyLimit: null, ipv6Prefix: 64 } });
    expect(textOf(referencePage(keyed))).to.include("Required. Send your key");
    const unknown = referencePage(testDeployment({ apiUrl: null }));
    expect(textOf(unknown)).to.include("Sending requests is off");
    expect(attributes(unknown, "data-endpoint")).to.deep.equal([]);
  });

  it("can only connect to its own host and the API, and has the same policy as other pages", async () => {
    const portal = await servePortal(deployment);
    try {
      const [own, other] = await Promise.all(
        ["/reference", "/fields"].map(async (path) => (await portal.get(path)).headers.get("content-security-policy")),
      );
      expect(own).to.include("connect-src 'self' https://geo.example.com").and.include("script-src 'self'");
      expect(own).to.equal(other).and.not.include("unsafe");
      for (const name of ["swagger-ui-bundle.js", "reference.js", "..%2Fdocument.ts", "__proto__", "constructor"])
        expect((await portal.get(`/assets/reference/${name}`)).status, name).to.equal(404);
    } finally {
      await portal[Symbol.asyncDispose]();
    }
  });
});

/** Without white space and the backticks of code, which the page shows differently. */
function normalized(text: string): string {
  return text.replace(/[\s`]+/g, "");
}
