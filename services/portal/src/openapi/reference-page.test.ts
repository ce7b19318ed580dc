import { expect } from "chai";
import { attributes, servePortal, textOf } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { openApiDocument } from "./document.ts";
import { referencePage } from "./reference-page.ts";

const deployment = testDeployment();

describe("the API reference", () => {
  const markup = referencePage(deployment).content.text;
  const shown = normalized(textOf(markup));
  const section = (id: string) => markup.split(/(?=<h2 id=")/).find((part) => part.startsWith(`<h2 id="${id}"`)) ?? "";

  it("shows every description, name and example in the OpenAPI description", () => {
    const document = JSON.parse(JSON.stringify(openApiDocument(deployment)));
    let checked = 0;
    const look = (value: unknown, path: string) => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, member] of Object.entries(value)) {
        const at = `${path}/${name}`;
        if (/\/(?:headers|properties|securitySchemes)$/.test(path) || /\/schemas\/GeoRecord\/properties$/.test(path))
          if (!path.includes("securitySchemes") && name !== "error") expectShown(name, at);
        if ((name === "description" || name === "summary") && typeof member === "string" && isDescribed(path)) {
          // The plan is beside the name.
          expectShown(member.replace(/ (On every plan|Paid plans only)\.$/, ""), at);
          checked += 1;
        }
        if (/\/examples\/\w+$/.test(path) && name === "value") expectShown(JSON.stringify(member), at);
        look(member, at);
      }
    };
    const expectShown = (text: string, at: string) => expect(shown, at).to.include(normalized(text));
    // The page about each code has what it means.
    const isDescribed = (path: string) => path !== "/info" && !/\/responses\/Error\d+$/.test(path);
    look(document, "");
    for (const paragraph of document.info.description.split("\n\n")) expectShown(paragraph, "/info");
    expect(checked).to.be.above(60);
    for (const place of ["key", "Authorization: Bearer", "X-API-Key"]) expectShown(place, "securitySchemes");
    for (const url of ["https://geo.example.com/v1/geo", "https://geo.example.com/"]) expectShown(url, "paths");
  });

  it("has each field with its type, an example, and whether it is paid", () => {
    const entries = [...section("record").matchAll(/<div><dt>(.*?)<\/dt>(.*?)<\/div>/gs)].map((entry) =>
      textOf(entry[0]).replace(/\s+/g, " ").trim(),
    );
    expect(entries).to.have.length(18);
    expect(entries).to.include.members([
      'country string ISO 3166-1 alpha-2 code. Example: "GB"',
      'currency string paid ISO 4217 code, derived from the country. Example: "GBP"',
    ]);
    expect(entries.filter((entry) => / paid /.test(entry))).to.have.length(14);
    expect(entries.at(-1)).to.match(/^partial true Present and true if the location is incomplete/);
  });

  it("has each header once, with its statuses if it isn't the same on all of them", () => {
    const headers = section("headers");
    const names = [...headers.matchAll(/<dt><code>(.*?)<\/code>/g)].map(([, name]) => name);
    expect(names).to.include.members(["X-RateLimit-Limit", "Retry-After", "X-Geolookup-Notice", "Vary"]);
    expect(new Set(names).size).to.equal(names.length);
    const text = normalized(textOf(headers));
    for (const sentence of [
      "200: Requests included in this period",
      "429: The limit that was reached",
      "429, 500: Seconds to wait before retrying",
      "401, 403, 404, 429, 500: Errors aren't cached",
      "string Any web page can read the response",
    ])
      expect(text).to.include(normalized(sentence));
  });

  it("has each error code with its status, what it means in one sentence, and a link to its page", () => {
    const errors = section("errors");
    const links = attributes(errors, "href").filter((href) => href.startsWith("/errors/"));
    expect(links).to.have.length(10).and.include.members(["/errors/missing_key", "/errors/internal_error"]);
    expect(textOf(errors))
      .to.include("malformed_key 401\nThe value that was sent isn't a valid key.\n")
      .and.include("origin_not_allowed 403\nThe key has an allowlist of origins");
  });

  it("has the examples of each status in a tab, and the worked example filled in", () => {
    const tabs = /<div class="tabs" data-tabs="Status.*$/s.exec(markup)?.[0] ?? "";
    expect([...tabs.matchAll(/<h3>(\d+)<\/h3>/g)].map(([, status]) => status)).to.deep.equal([
      ...["200", "401", "403", "404", "429", "500"],
    ]);
    expect(attributes(markup, "value")).to.deep.equal(["country,countryName"]);
    expect(attributes(markup, "data-endpoint")).to.deep.equal(["https://geo.example.com/v1/geo"]);
    expect(shown).to.include(normalized('{"country":"GB","countryName":"United Kingdom"}'));
  });

  it("says whether a key is required, and that nothing can be sent if the API's address is unknown", () => {
    expect(textOf(markup)).to.include("Without a key, you get the free fields.");
    const keyed = testDeployment({ keyless: { hourlyLimit: null, ipv6Prefix: 64 } });
    expect(textOf(referencePage(keyed).content.text)).to.include("This service requires a key.");
    const unknown = referencePage(testDeployment({ apiUrl: null })).content.text;
    expect(textOf(unknown)).to.include("Sending requests from this page is off");
    expect(attributes(unknown, "data-endpoint")).to.deep.equal([]);
  });

  it("can only connect to its own host and the API, and replaces pages that are now sections of it", async () => {
    await using portal = await servePortal(deployment);
    const own = (await portal.get("/reference")).headers.get("content-security-policy");
    expect(own).to.include("connect-src 'self' https://geo.example.com").and.include("script-src 'self'");
    expect(own).to.equal((await portal.get("/errors")).headers.get("content-security-policy"));
    for (const [path, section] of [
      ["/authentication", "authentication"],
      ["/fields", "record"],
      ["/limits", "limits"],
    ] as const) {
      const { status, headers } = await portal.get(path, { redirect: "manual" });
      expect([status, headers.get("location")], path).to.deep.equal([301, `/reference#${section}`]);
      expect(attributes(markup, "id")).to.include(section);
    }
    for (const name of ["swagger-ui-bundle.js", "reference.js", "..%2Fdocument.ts", "__proto__", "constructor"])
      expect((await portal.get(`/assets/reference/${name}`)).status, name).to.equal(404);
  });
});

/** Without white space and the backticks of code, which the page shows differently. */
function normalized(text: string): string {
  return text.replace(/[\s`]+/g, "");
}
