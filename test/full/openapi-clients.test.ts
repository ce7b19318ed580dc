import { execFile, execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { OPERATIONS } from "@geolookup/portal/admin-api/api-router.ts";
import { adminApiDocument } from "@geolookup/portal/admin-api/openapi.ts";
import { openApiDocument } from "@geolookup/portal/openapi/document.ts";
import { testDeployment } from "@geolookup/portal/testing/test-deployment.ts";
import { expect } from "chai";
import { serveHttp } from "../harness/http-server.ts";
import { installPrograms } from "../harness/install-programs.ts";
import { sample } from "../harness/samples.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const GENERATORS = new URL("openapi-clients", import.meta.url).pathname;

/** Compiles only if both TypeScript clients have exact types. */
const USAGE = `
import { locate } from "./geolookup/index.ts";
import type { Error429, GeoRecord } from "./geolookup/types.gen.ts";
import type { components, operations } from "./geolookup.ts";

type Schemas = components["schemas"];
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const ip: [Same<Schemas["GeoRecord"]["ip"], string | null | undefined>, Same<GeoRecord["ip"], string | null | undefined>] = [true, true];

export function limitOf({ error }: Schemas["Error429"]): Schemas["RateLimited"] | Schemas["QuotaExceeded"] {
  switch (error.code) {
    case "rate_limited": { const limited: Schemas["RateLimited"] = error; return limited; }
    case "quota_exceeded": { const exceeded: Schemas["QuotaExceeded"] = error; return exceeded; }
  }
}
export function codeOf({ error }: Error429): "rate_limited" | "quota_exceeded" {
  return error.code;
}
export async function city(auth: string): Promise<string | null | undefined> {
  const { data, error } = await locate({ auth, query: { fields: ["city"] } });
  return error ? error.error.message : data?.city;
}
export type Operations = Same<keyof operations, "locate" | "locateAtRoot">;
export const operationsAreTwo: Operations = true;
`;

/** The same for the admin API. */
const ADMIN_USAGE = `
import { issueKey, listKeys } from "./admin-hey-api/index.ts";
import type { components, paths } from "./admin-api.ts";

type Key = components["schemas"]["Key"];
export const status: Key["status"][] = ["active", "revoked", "expired", "disabled", "rotated"];
type Issue = paths["/admin/v1/keys"]["post"]["requestBody"]["content"]["application/json"];
export const least: Issue = { kind: "secret" };
// @ts-expect-error A key is publishable or secret.
export const wrong: Issue = { kind: "public" };

export async function issue(auth: string, order: string): Promise<string | undefined> {
  const { data, error } = await issueKey({
    auth,
    headers: { "Idempotency-Key": order },
    body: { kind: "secret", plan: "paid", label: order },
  });
  if (error) throw new Error(\`\${error.error.code}: \${error.error.message}\`);
  return data.key;
}
export async function labels(auth: string): Promise<string[]> {
  const { data } = await listKeys({ auth, query: { status: "active", limit: 10 } });
  return data?.items.map(({ label }) => label) ?? [];
}
`;

const COMPILER_OPTIONS = {
  ...{ strict: true, noEmit: true, skipLibCheck: false, target: "es2023", lib: ["es2023", "dom", "dom.iterable"] },
  ...{ module: "esnext", moduleResolution: "bundler", allowImportingTsExtensions: true, types: [] },
};

describe("the OpenAPI description", () => {
  const folder = tempFolder();
  const write = (name: string, content: object | string) =>
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });

  before(async () => {
    installPrograms("python3-pydantic", "mypy");
    cpSync(GENERATORS, folder, { recursive: true });
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
    const json = JSON.stringify(openApiDocument(testDeployment({ apiUrl: null, docsUrl: null })));
    await using docs = await serveHttp((_, res) => void res.end(json));
    const code = sample("/back-end", "openapi.json").replace("https://docs.geo.example.com", docs.url);
    await promisify(execFile)("sh", ["-ec", code], { cwd: folder });
  });

  it("generates TypeScript clients that compile, with exact types, by the guide's commands", () => {
    write("usage.ts", USAGE);
    write("tsconfig.json", { compilerOptions: COMPILER_OPTIONS, files: ["usage.ts"] });
    expect(errorsOf(() => run("node_modules/.bin/tsc"))).to.equal("");
  });

  it("of the admin API generates TypeScript clients that compile, with exact types", () => {
    write("admin.json", adminApiDocument(OPERATIONS, "https://docs.example.com"));
    run("node_modules/.bin/openapi-typescript", "admin.json", "--output", "admin-api.ts");
    run("node_modules/.bin/openapi-ts", "--input", "admin.json", "--output", "admin-hey-api", "--no-log-file");
    write("admin-usage.ts", ADMIN_USAGE);
    write("tsconfig.json", { compilerOptions: COMPILER_OPTIONS, files: ["admin-usage.ts"] });
    expect(errorsOf(() => run("node_modules/.bin/tsc"))).to.equal("");
  });

  it("of the admin API generates Python models that type-check, with exact types", () => {
    write("admin.json", adminApiDocument(OPERATIONS, "https://docs.example.com"));
    run(process.execPath, "python-models.mjs", "admin.json", "models");
    expect(errorsOf(() => run("mypy", "--strict", "--no-error-summary", "admin_usage.py"))).to.equal("");
  });

  it("generates Python models that type-check, with exact types", () => {
    run(process.execPath, "python-models.mjs", "openapi.json", "models");
    expect(errorsOf(() => run("mypy", "--strict", "--no-error-summary", "usage.py"))).to.equal("");
    const caught = errorsOf(() => run("mypy", "--strict", "--no-error-summary", "misuse.py"))
      .trim()
      .split("\n");
    expect(caught).to.have.length(2);
    expect(caught[0]).to.include('got "Optional[str]", expected "str"');
    expect(caught[1]).to.include("Literal['rate_limited', 'quota_exceeded']");
  });
});

/** @returns what the checker prints if it finds errors, or an empty string. */
function errorsOf(check: () => string): string {
  try {
    check();
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
