import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { OPENAPI_OBJECTS } from "../testing/openapi-3.1.ts";
import { OPERATIONS } from "./api-router.ts";
import { API_ERRORS } from "./errors.ts";
import { adminApiDocument } from "./openapi.ts";

describe("the OpenAPI document of the admin API", () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the document as its readers do
  const json: any = JSON.parse(JSON.stringify(adminApiDocument(OPERATIONS, "https://docs.example.com")));
  const createValidator = () => addFormats.default(new Ajv2020({ strict: true, strictTypes: false, allErrors: true }));

  it("is valid OpenAPI 3.1, without unknown members", () => {
    const validator = createValidator();
    const validate = validator.compile(OPENAPI_OBJECTS);
    expect(validate(json), validator.errorsText(validate.errors)).to.equal(true);
  });

  it("has schemas that are valid, without dangling references", () => {
    const validator = createValidator().addVocabulary(Object.keys(json)).addSchema(json, "openapi.json");
    for (const name of Object.keys(json.components.schemas))
      validator.getSchema(`openapi.json#/components/schemas/${name}`);
    const references = [...JSON.stringify(json).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references).to.have.length.above(20);
    for (const [, kind = "", name = ""] of references) expect(json.components[kind], name).to.have.property(name);
  });

  it("has an ID for each operation, and an Idempotency-Key for each change", () => {
    const operations = Object.values<Record<string, { operationId: string; parameters?: { name: string }[] }>>(
      json.paths,
    ).flatMap((item) => Object.entries(item));
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).to.equal(ids.length).and.equal(OPERATIONS.length);
    for (const [method, { operationId, parameters = [] }] of operations)
      expect(
        parameters.some(({ name }) => name === "Idempotency-Key"),
        operationId,
      ).to.equal(method !== "get");
  });

  it("lists every error", () => {
    const { description } = json.components.responses.Error;
    for (const [code, status] of Object.entries(API_ERRORS)) expect(description).to.include(`${status} \`${code}\``);
  });
});
