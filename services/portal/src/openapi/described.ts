import type { openApiDocument } from "./document.ts";

/** The parts of a JSON Schema that the reference page shows. */
export interface DescribedSchema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: DescribedSchema;
  properties?: Readonly<Record<string, DescribedSchema>>;
  oneOf?: readonly DescribedSchema[];
}

export interface DescribedHeader {
  description: string;
  required?: boolean;
  schema: DescribedSchema;
}

export interface DescribedResponse {
  description: string;
  headers: Readonly<Record<string, DescribedHeader>>;
  content: Readonly<
    Record<
      string,
      {
        schema: DescribedSchema;
        examples: Readonly<Record<string, { summary: string; value: Record<string, unknown> }>>;
      }
    >
  >;
}

export interface DescribedParameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: DescribedSchema;
  example: readonly string[];
}

export interface SecurityScheme {
  type: string;
  in?: string;
  name?: string;
  scheme?: string;
  description: string;
}

interface Reference {
  $ref: string;
}

export interface DescribedOperation {
  operationId: string;
  summary: string;
  parameters: readonly Reference[];
  responses: Readonly<Record<string, Reference>>;
}

/** The OpenAPI description as its readers see it. Its tests validate it against the schema of OpenAPI. */
export interface Described {
  info: { description: string };
  servers: readonly { url: string }[];
  security: readonly Readonly<Record<string, readonly string[]>>[];
  paths: Readonly<Record<string, { get: DescribedOperation }>>;
  components: { securitySchemes: Readonly<Record<string, SecurityScheme>> };
}

export function described(document: ReturnType<typeof openApiDocument>): Described {
  return document as unknown as Described;
}

/** @returns what a reference into the description points to. @throws Error if that doesn't exist. */
export function resolve<Component>(document: Described, { $ref }: Reference): Component {
  const names = $ref.split("/").slice(1);
  const component = names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    document,
  );
  if (component === undefined) throw new Error(`the OpenAPI description has no ${$ref}`);
  return component as Component;
}

/** The schema itself, or what it refers to. */
export function schemaOf(document: Described, schema: DescribedSchema): DescribedSchema {
  return schema.$ref === undefined ? schema : resolve(document, { $ref: schema.$ref });
}

/** The operations by path, in the order of the description; the first one isn't an alias. */
export function operationsOf({ paths }: Described): (DescribedOperation & { path: string })[] {
  return Object.entries(paths).map(([path, { get }]) => ({ path, ...get }));
}

/** The text of a schema's type: `string or null`, `array of strings`. */
export function typeText({ type, items, ...schema }: DescribedSchema): string {
  if (type === undefined) return "const" in schema ? JSON.stringify(schema.const) : "";
  return [type]
    .flat()
    .map((name) => (name === "array" && typeof items?.type === "string" ? `array of ${items.type}s` : name))
    .join(" or ");
}

/** A schema's description and its constraints, as text in which code has backticks. */
export function notesOf(description: string, schema: DescribedSchema): string {
  const { type, minimum, maximum, maxLength } = schema;
  const values = (schema.enum ?? []).filter((value) => value !== null).map((value) => `\`${value}\``);
  return [
    description,
    ...("const" in schema && type !== undefined ? [`Always \`${schema.const}\`.`] : []),
    ...(values.every((value) => description.includes(value)) ? [] : [`One of ${values.join("; ")}.`]),
    ...(minimum === undefined
      ? []
      : [maximum === undefined ? `At least ${minimum}.` : `From ${minimum} to ${maximum}.`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ].join(" ");
}
