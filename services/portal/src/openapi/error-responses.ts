import { ERROR_CATALOG } from "@geolookup/shared/domain/catalog.ts";
import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import { ERROR_CODES, type ErrorCode } from "@geolookup/shared/domain/errors.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { errorExample } from "../docs/error-examples.ts";
import { urlsOrExamples } from "../docs/examples.ts";
import { errorHeaders } from "./headers.ts";

/** What the description needs to know about the deployment. */
export type DescribedDeployment = Pick<DeploymentInfo, "apiUrl" | "docsUrl" | "keyless" | "plans" | "site">;

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

/** A response for each status. */
export function errorResponses(deployment: DescribedDeployment) {
  return Object.fromEntries(
    ERROR_STATUSES.map((status) => {
      const schema = { $ref: `#/components/schemas/${errorName(status)}` };
      const content = { "application/json": { schema, examples: errorExamples(status, deployment) } };
      const description = meaningsOf(status).join("\n\n");
      return [errorName(status), { description, headers: errorHeaders(status), content }];
    }),
  );
}

/** What each code of a status means, with the code. */
export function meaningsOf(status: number): string[] {
  return codesOf(status).map((code) => `\`${code}\`: ${ERROR_CATALOG[code].meaning}`);
}

/** An example for each code of a status. */
export function errorExamples(status: number, deployment: DescribedDeployment) {
  const { docsUrl } = urlsOrExamples(deployment);
  return Object.fromEntries(
    codesOf(status).map((code) => [
      code,
      { summary: ERROR_CATALOG[code].title, value: errorBody(errorExample(code, deployment), docsUrl) },
    ]),
  );
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

/** The fields of every error besides its code. */
export const ERROR_FIELDS = {
  message: { type: "string", minLength: 1, description: "What is wrong and what to change, for developers." },
  docs: { type: "string", format: "uri", description: "Link to the page about this code." },
};

function codeSchema(code: ErrorCode) {
  const docs = { ...ERROR_FIELDS.docs, pattern: `/errors/${code}$` };
  return {
    type: "object",
    required: ["code", "message", "docs"],
    additionalProperties: false,
    properties: { code: { type: "string", const: code }, ...ERROR_FIELDS, docs },
  };
}

function codeReference(code: ErrorCode): string {
  return `#/components/schemas/${codeName(code)}`;
}

/** `RateLimited` for `rate_limited`. */
function codeName(code: ErrorCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

export function codesOf(status: number): ErrorCode[] {
  return ERROR_CODES.filter((code) => ERROR_CATALOG[code].status === status);
}
