import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from "@geolookup/shared/domain/errors.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { urlsOrExamples } from "../docs/addresses.ts";
import { errorExample } from "../docs/error-examples.ts";
import { ERROR_PROSE } from "../docs/error-prose.ts";
import { errorHeaders } from "./headers.ts";

/** What the description needs to know about the deployment. */
export type DescribedDeployment = Pick<DeploymentInfo, "apiUrl" | "docsUrl" | "keyless" | "plans">;

/** Every HTTP status in the error catalog, ascending. */
export const ERROR_STATUSES = [...new Set(ERROR_CODES.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);

/** The component name of a status's response and schema. */
export function errorName(status: number): string {
  return `Error${status}`;
}

/** The responses of an operation by status, as references to components. HEAD has its own, without a body. */
export function errorReferences(suffix: "" | "Head" = "", statuses: readonly number[] = ERROR_STATUSES) {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${errorName(status)}${suffix}` }]),
  );
}

/** A response for each status with an example for each of its codes, and the same without a body for HEAD. */
export function errorResponses(deployment: DescribedDeployment) {
  const { docsUrl } = urlsOrExamples(deployment);
  const responses: Record<string, object> = {};
  for (const status of ERROR_STATUSES) {
    const codes = codesOf(status);
    const description = codes.map((code) => `\`${code}\`: ${ERROR_PROSE[code].meaning}`).join("\n\n");
    const examples = Object.fromEntries(
      codes.map((code) => [
        code,
        { summary: ERROR_PROSE[code].title, value: errorBody(errorExample(code, deployment), docsUrl) },
      ]),
    );
    const schema = { $ref: `#/components/schemas/${errorName(status)}` };
    responses[errorName(status)] = {
      description,
      headers: errorHeaders(status),
      content: { "application/json": { schema, examples } },
    };
    responses[`${errorName(status)}Head`] = { description, headers: errorHeaders(status) };
  }
  return responses;
}

/** A schema for each status, with the codes that the status can have (contract, section 7). */
export function errorSchemas() {
  return Object.fromEntries(ERROR_STATUSES.map((status) => [errorName(status), errorSchema(codesOf(status))]));
}

function errorSchema(codes: readonly ErrorCode[]) {
  return {
    type: "object",
    required: ["error"],
    additionalProperties: false,
    properties: {
      error: {
        type: "object",
        required: ["code", "message", "docs"],
        additionalProperties: false,
        properties: {
          code: { type: "string", enum: codes },
          message: { type: "string", minLength: 1, description: "What is wrong and what to change, for developers." },
          docs: {
            type: "string",
            format: "uri",
            pattern: `/errors/(${codes.join("|")})$`,
            description: "Link to the page about this code.",
          },
        },
      },
    },
  };
}

function codesOf(status: number): ErrorCode[] {
  return ERROR_CODES.filter((code) => ERROR_STATUS[code] === status);
}
