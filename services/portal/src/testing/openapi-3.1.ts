/** An object with no other members. Extensions (`x-…`) aren't used. */
function strict(properties: object, required: readonly string[] = []) {
  return { type: "object", properties, required, additionalProperties: false };
}

const text = { type: "string", minLength: 1 };
const uri = { type: "string", format: "uri" };
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const list = (items: object) => ({ type: "array", minItems: 1, items });
const map = (values: object) => ({ type: "object", minProperties: 1, additionalProperties: values });
const reference = strict({ $ref: { type: "string", pattern: "^#/components/" } }, ["$ref"]);
const orReference = (name: string) => ({ oneOf: [reference, ref(name)] });

/** Schemas are checked by the validator when it compiles them. */
const schema = { type: "object" };

/**
 * A strict JSON Schema for the objects of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0.html, section 4.8) that the
 * description uses.
 */
export const OPENAPI_OBJECTS = {
  ...strict(
    {
      openapi: { const: "3.1.0" },
      info: strict(
        {
          title: text,
          version: text,
          summary: text,
          description: text,
          license: strict({ name: text, identifier: text }, ["name"]),
        },
        ["title", "version"],
      ),
      externalDocs: strict({ url: uri }, ["url"]),
      servers: list(strict({ url: uri }, ["url"])),
      tags: list(strict({ name: text, description: text }, ["name"])),
      security: { type: "array", items: ref("securityRequirement") },
      paths: { type: "object", patternProperties: { "^/": ref("pathItem") }, additionalProperties: false },
      components: strict({
        securitySchemes: map(ref("securityScheme")),
        parameters: map(ref("parameter")),
        schemas: map(schema),
        responses: map(ref("response")),
      }),
    },
    ["openapi", "info", "paths"],
  ),
  $defs: {
    securityRequirement: { type: "object", additionalProperties: { type: "array", maxItems: 0 } },
    pathItem: strict({
      parameters: list(orReference("parameter")),
      get: ref("operation"),
      head: ref("operation"),
      options: ref("operation"),
      post: ref("operation"),
      patch: ref("operation"),
      delete: ref("operation"),
    }),
    operation: strict(
      {
        tags: list(text),
        operationId: text,
        summary: text,
        description: text,
        parameters: list(orReference("parameter")),
        security: { type: "array", items: ref("securityRequirement") },
        requestBody: strict({ description: text, content: map(ref("mediaType")), required: { type: "boolean" } }, [
          "content",
        ]),
        responses: {
          type: "object",
          minProperties: 1,
          patternProperties: { "^(?:[1-5]\\d\\d|default)$": orReference("response") },
          additionalProperties: false,
        },
      },
      ["tags", "operationId", "responses"],
    ),
    parameter: strict(
      {
        name: text,
        in: { enum: ["query", "path", "header"] },
        required: { type: "boolean" },
        description: text,
        style: { const: "form" },
        explode: { type: "boolean" },
        example: {},
        schema,
      },
      ["name", "in", "schema"],
    ),
    response: strict({ description: text, headers: map(ref("header")), content: map(ref("mediaType")) }, [
      "description",
    ]),
    header: strict({ description: text, required: { type: "boolean" }, schema }, ["schema"]),
    mediaType: strict({ schema, examples: map(strict({ summary: text, value: {} }, ["value"])) }, ["schema"]),
    securityScheme: {
      oneOf: [
        strict({ type: { const: "apiKey" }, in: { enum: ["query", "header"] }, name: text, description: text }, [
          ...["type", "in", "name"],
        ]),
        strict({ type: { const: "http" }, scheme: text, description: text }, ["type", "scheme"]),
      ],
    },
  },
};
