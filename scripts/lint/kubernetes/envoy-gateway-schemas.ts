import { Ajv } from "ajv";
import { type KubernetesObject, nameOf } from "./objects.ts";

/** The API version of Envoy Gateway's objects. No package has its schemas. */
export const ENVOY_GATEWAY = "gateway.envoyproxy.io/v1alpha1";

/** An object that has only these fields. */
const fields = (properties: Record<string, object>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text = { type: "string", minLength: 1 };
const listOf = (items: object, maxItems = 64) => ({ type: "array", items, minItems: 1, maxItems });
const nameAndValue = fields({ name: text, value: text }, ["name", "value"]);
const target = (kinds: readonly string[]) =>
  listOf(
    fields({ group: { const: "gateway.networking.k8s.io" }, kind: { enum: kinds }, name: text }, [
      "group",
      "kind",
      "name",
    ]),
    16,
  );

/**
 * The part of the schemas that the manifests use: the types SecurityPolicy, ExtAuth and ClientTrafficPolicy of
 * https://gateway.envoyproxy.io/docs/api/extension_types/. Durations and header filters are those of the Gateway API, with
 * at most 16 names.
 */
const SPECS: Readonly<Record<string, object>> = {
  SecurityPolicy: fields(
    {
      targetRefs: target(["Gateway", "HTTPRoute", "GRPCRoute"]),
      extAuth: fields(
        {
          failOpen: { type: "boolean" },
          timeout: { type: "string", pattern: "^([0-9]{1,5}(h|m|s|ms)){1,4}$" },
          headersToExtAuth: listOf(text),
          http: fields(
            {
              backendRefs: listOf(
                fields({ name: text, namespace: text, port: { type: "integer", minimum: 1, maximum: 65_535 } }, [
                  "name",
                  "port",
                ]),
                16,
              ),
              path: text,
              headersToBackend: listOf(text),
            },
            ["backendRefs"],
          ),
        },
        ["http"],
      ),
    },
    ["targetRefs", "extAuth"],
  ),
  ClientTrafficPolicy: fields(
    {
      targetRefs: target(["Gateway"]),
      headers: fields({
        withUnderscoresAction: { enum: ["Allow", "RejectRequest", "DropHeader"] },
        earlyRequestHeaders: fields({
          add: listOf(nameAndValue, 16),
          set: listOf(nameAndValue, 16),
          remove: listOf(text, 16),
        }),
      }),
    },
    ["targetRefs"],
  ),
};

const ajv = new Ajv({ allErrors: true });

/** Validates an object of Envoy Gateway against the part of its schema that is defined here. @returns what is wrong, one line each. */
export function envoyGatewayProblems(object: KubernetesObject): string[] {
  const spec = SPECS[object.kind];
  if (!spec) return [`${nameOf(object)}: has no schema in scripts/lint/kubernetes/envoy-gateway-schemas.ts`];
  const validate = ajv.compile(spec);
  if (validate(object.spec)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "", params }) => {
    const field = params.additionalProperty === undefined ? "" : ` (${params.additionalProperty})`;
    return `${nameOf(object)}: spec${instancePath.replaceAll("/", ".")} ${message}${field}`;
  });
}
