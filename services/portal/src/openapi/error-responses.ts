import { ERROR_CATALOG } from "@geolookup/shared/domain/catalog.ts";
import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import { ERROR_CODES, type ErrorCode } from "@geolookup/shared/domain/errors.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { urlsOrExamples } from "../docs/addresses.ts";
import { errorExample } from "../docs/error-examples.ts";
import { errorHeaders } from "./headers.ts";

/** What the description needs to know about the deployment. */
export type DescribedDeployment = Pick<DeploymentInfo, "apiUrl" | "docsUrl" | "keyless" | "plans">;

/** Every HTTP status in the error catalog, ascending. */
export const ERROR_STATUSES = [...new Set(ERROR_CODES.map((code) => ERROR_CATALOG[code].status))].sort((a, b) => a - b);

/** The component name of a status's response and schema. */
function errorName(status: number): string {
  return `Error${status}`;
}

/** The error responses of an operation by status, as references to components. */
export function errorReferences() {
  return Object.fromEntries(
    ERROR_STATUSES.map((status) => [status, { $ref: `#/components/responses/${errorName(status)}` }]),
  );
}

/** A response for each status with an example for each of its codes. */
export function errorResponses(deployment: DescribedDeployment) {
  const { docsUrl } = urlsOrExamples(deployment);
  const responses: Record<string, object> = {};
  for (const status of ERROR_STATUSES) {
    const codes = codesOf(status);
    const description = codes.map((code) => `\`${code}\`: ${ERROR_CATALOG[code].meaning}`).join("\n\n");
    const examples = Object.fromEntries(
      codes.map((code) => [
        code,
        { summary: ERROR_CATALOG[code].title, value: errorBody(errorExample(code, deployment), docsUrl) },
      ]),
    );
    const schema = { $ref: `#/components/schemas/${errorName(status)}` };
    responses[errorName(status)] = {
      description,
      headers: errorHeaders(status),
      content: { "application/json": { schema, examples } },
    };
  }
  return responses;
}

/**
 * A schema for each status and for each code (contract, section 7). `code` is the discriminator, so that generated
 * clients can narrow an error by it.
 */
export function errorSchemas() {
  return Object.fromEntries([
    ...ERROR_STATUSES.map((status) => [errorName(status), errorSchema(codesOf(status))]),
    ...ERROR_CODES.map((code) => [codeName(code), codeSchema(code)]),
  ]);
}

function errorSchema(codes: readonly ErrorCode[]) {
  const references = codes.map((code) => ({ $ref: codeReference(code) }));
  const mapping = Object.fromEntries(codes.map((code) => [code, codeReference(code)]));
  return {
    type: "object",
    required: ["error"],
    additionalProperties: false,
    properties: {
      error:
        references.length === 1
          ? references[0]
          : { oneOf: references, discriminator: { propertyName: "code", mapping } },
    },
  };
}

function codeSchema(code: ErrorCode) {
  return {
    type: "object",
    required: ["code", "message", "docs"],
    additionalProperties: false,
    properties: {
      code: { type: "string", const: code },
      message: { type: "string", minLength: 1, description: "What is wrong and what to change, for developers." },
      docs: {
        type: "string",
        format: "uri",
        pattern: `/errors/${code}$`,
        description: "Link to the page about this code.",
      },
    },
  };
}

function codeReference(code: ErrorCode): string {
  return `#/components/schemas/${codeName(code)}`;
}

/** `RateLimited` for `rate_limited`. */
function codeName(code: ErrorCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function codesOf(status: number): ErrorCode[] {
  return ERROR_CODES.filter((code) => ERROR_CATALOG[code].status === status);
}
