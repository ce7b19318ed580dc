import { globSync, readFileSync } from "node:fs";
import { parsePlaceList } from "@geolookup/gateway/edge/country-rules.ts";
import { startSmallEdge } from "@geolookup/gateway/edge/testing/small-edge.ts";
import { NAV } from "@geolookup/portal/docs/nav.ts";
import { openApiDocument } from "@geolookup/portal/openapi/document.ts";
import { servePortal, textOf } from "@geolookup/portal/testing/serve-portal.ts";
import { testDeployment } from "@geolookup/portal/testing/test-deployment.ts";
import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { send } from "../harness/http.ts";
import { sampleWith } from "../harness/samples.ts";

/** The calls by which tests take a sample from a page, to run it. */
const CALL = /\b(?:sample|copied)\(\s*"(\/[^"]*)",\s*"([^"]+)"/g;

/** With a database that has to be credited on its users' pages. */
const deployment = testDeployment({
  databases: async () => [
    {
      ...{ name: "a.mmdb", databaseType: "City", buildUnixSeconds: 0 },
      ...{ attribution: "Places by A", attributionUrl: "https://a.test" },
    },
  ],
});

const { components } = openApiDocument(deployment);
const bodies = Object.keys(components.schemas).filter((name) => /^(?:GeoRecord|Error\d+)$/.test(name));
const isResponse = new Ajv2020({ strict: false, validateFormats: false }).compile({
  components,
  anyOf: bodies.map((name) => ({ $ref: `#/components/schemas/${name}` })),
});

it("every code sample on the docs site is taken by a test that runs it, or a response as in the OpenAPI description", async () => {
  await using portal = await servePortal(deployment);
  const samples = new Map<string, string[]>();
  const paths = NAV.flatMap(({ pages }) => pages).map(({ path }) => path);
  for (const path of [...paths, ...ERROR_CODES.map((code) => `/errors/${code}`)]) {
    const markup = await (await portal.get(path)).text();
    samples.set(
      path,
      Array.from(markup.matchAll(/<pre[ >].*?<\/pre>/gs), ([pre]) => textOf(pre)),
    );
  }
  const taken = globSync("test/**/*.ts").flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(CALL), ([, path = "", text = ""]) =>
      sampleWith(text, samples.get(path) ?? []),
    ),
  );
  for (const [path, codes] of samples)
    for (const code of codes)
      expect(
        taken.includes(code) || (code.startsWith("{") && isResponse(JSON.parse(code))),
        `${path}:\n${code}`,
      ).to.equal(true);
});

it("the pages of the edge port's error codes have what the edge port responds", async () => {
  await using portal = await servePortal(deployment);
  const rules = { allow: parsePlaceList("DE"), deny: null, unknown: "deny" } as const;
  const settings = { docsUrl: () => deployment.docsUrl ?? "" };
  for (const [code, edge, headers] of [
    ["country_not_allowed", { rules }, { "X-Forwarded-For": "44.0.0.1" }],
    ["invalid_edge_token", { token: "0123456789abcdef" }, { "X-Edge-Token": "another" }],
  ] as const) {
    await using port = await startSmallEdge({ edge, settings });
    const { json } = await send(port.url, { headers });
    const markup = await (await portal.get(`/errors/${code}`)).text();
    const samples = Array.from(markup.matchAll(/<pre[ >].*?<\/pre>/gs), ([pre]) => JSON.parse(textOf(pre)));
    expect(samples).to.deep.equal([json]);
  }
});
