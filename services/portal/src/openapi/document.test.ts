import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { OPENAPI_OBJECTS } from "../testing/openapi-3.1.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { openApiDocument } from "./document.ts";

/** Of the contract, section 7. */
const CODES_OF_STATUS: Readonly<Record<string, readonly string[]>> = {
  401: ["missing_key", "malformed_key", "bad_signature", "unknown_key", "revoked_key"],
  403: ["origin_not_allowed"],
  404: ["not_found"],
  429: ["rate_limited", "quota_exceeded"],
  500: ["internal_error"],
};

/** Of the contract, section 2.1, with the JSON type of each. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ ip: "string", country: "string", countryName: "string", continent: "string", isEUCountry: "boolean" },
  ...{ region: "string", regionCode: "string", city: "string", timezone: "string", postalCode: "string" },
  ...{ latitude: "string", longitude: "string", asn: "integer", asOrganization: "string", currency: "string" },
  ...{ languages: "array", metroCode: "string" },
};

describe("openApiDocument", () => {
  const document = openApiDocument(testDeployment());
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the document as its readers do
  const json: any = JSON.parse(JSON.stringify(document));
  const ajv = addFormats.default(new Ajv2020({ strict: true, strictTypes: false, allErrors: true }));
  // Schemas are compiled in place, so that their references resolve.
  ajv.addVocabulary([...Object.keys(json), "discriminator"]).addSchema(json, "openapi.json");

  /** Every object in the document with the path to it. */
  function* objects(value: unknown, path = "#"): Generator<[path: string, object: Record<string, unknown>]> {
    if (typeof value !== "object" || value === null) return;
    yield [path, value as Record<string, unknown>];
    for (const [name, member] of Object.entries(value))
      yield* objects(member, `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }

  function resolve(pointer: string): unknown {
    const names = pointer.slice(2).split("/");
    return names.reduce((value, name) => value?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], json);
  }

  const operations = Object.entries<Record<string, Record<string, unknown>>>(json.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([name]) => name !== "parameters")
      .map(([method, operation]) => ({ path, method, operation })),
  );

  it("is valid OpenAPI 3.1, without unknown members", () => {
    const validator = addFormats.default(new Ajv2020({ strict: true, strictTypes: false, allErrors: true }));
    const validate = validator.compile(OPENAPI_OBJECTS);
    expect(validate(json), validator.errorsText(validate.errors)).to.equal(true);
  });

  it("has no dangling references", () => {
    const references = [...objects(json)].filter(([, object]) => "$ref" in object);
    expect(references).to.not.be.empty;
    for (const [path, { $ref }] of references) expect(resolve($ref as string), `${$ref} at ${path}`).to.be.an("object");
  });

  it("uses every component", () => {
    const used = new Set([...objects(json)].map(([, object]) => object.$ref));
    for (const kind of ["parameters", "schemas", "responses"])
      for (const name of Object.keys(json.components[kind]))
        expect(used, name).to.include(`#/components/${kind}/${name}`);
  });

  it("has valid schemas, and examples that match them", () => {
    for (const [path, object] of objects(json)) {
      if (!("schema" in object)) continue;
      const validate = ajv.compile({ $ref: `openapi.json${path}/schema` });
      for (const [name, { value }] of Object.entries((object.examples ?? {}) as Record<string, { value: unknown }>))
        expect(validate(value), `${path} ${name}: ${ajv.errorsText(validate.errors)}`).to.equal(true);
    }
  });

  it("has unique operation IDs, and only uses declared tags and security schemes", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    const tags = json.tags.map(({ name }: { name: string }) => name);
    const schemes = Object.keys(json.components.securitySchemes);
    for (const { operation } of operations) expect(tags).to.include.members(operation.tags as string[]);
    for (const requirement of json.security) expect(schemes).to.include.members(Object.keys(requirement as object));
  });

  it("has the contract's fields in order, with their types or null, and partial", () => {
    const { properties, additionalProperties } = json.components.schemas.GeoRecord;
    expect(Object.keys(properties)).to.deep.equal([...Object.keys(TYPES), "partial"]);
    for (const [name, type] of Object.entries(TYPES)) {
      expect(properties[name].type, name).to.deep.equal([type, "null"]);
      const validate = ajv.compile({ $ref: "openapi.json#/components/schemas/GeoRecord" });
      expect(validate({ [name]: null }), name).to.equal(true);
    }
    expect(properties.partial.const).to.equal(true);
    expect(additionalProperties).to.equal(false);
  });

  it("has the operation and its alias, with all codes of the contract by status", () => {
    expect(operations.map(({ path, method }) => `${method} ${path}`)).to.deep.equal(["get /v1/geo", "get /"]);
    for (const { operation } of operations)
      expect(Object.keys(operation.responses as object)).to.deep.equal(["200", ...Object.keys(CODES_OF_STATUS)]);
    for (const [status, codes] of Object.entries(CODES_OF_STATUS)) {
      const { content } = json.components.responses[`Error${status}`];
      expect(Object.keys(content["application/json"].examples)).to.deep.equal(codes);
    }
  });

  it("discriminates the errors of a status by their code", () => {
    for (const [status, codes] of Object.entries(CODES_OF_STATUS)) {
      const { error } = json.components.schemas[`Error${status}`].properties;
      const references = (error.oneOf ?? [error]).map(({ $ref }: { $ref: string }) => $ref);
      expect(
        references.map((pointer: string) => (resolve(pointer) as typeof json).properties.code.const),
      ).to.deep.equal(codes);
      if (codes.length > 1)
        expect(Object.entries(error.discriminator.mapping)).to.deep.equal(
          codes.map((code, index) => [code, references[index]]),
        );
    }
  });

  it("requires a key if keyless requests are off", () => {
    expect(json.security).to.deep.include({});
    const keyed = openApiDocument(testDeployment({ keyless: { hourlyLimit: null, ipv6Prefix: 64 } }));
    expect(keyed.security).to.have.length(3).and.to.not.deep.include({});
  });

  it("contains the name of the deployment, and the addresses of the API and its error pages", () => {
    const site = { name: "Example Geo", contact: null, terms: null, hasConsole: true };
    expect(openApiDocument(testDeployment({ site })).info.title).to.equal("Example Geo");
    expect(json.servers).to.deep.equal([{ url: "https://geo.example.com" }]);
    const { value } = json.components.responses.Error403.content["application/json"].examples.origin_not_allowed;
    expect(value.error.docs).to.equal("https://docs.geo.example.com/errors/origin_not_allowed");
  });
});
