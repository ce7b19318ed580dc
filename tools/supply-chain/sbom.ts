import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";

const run = promisify(execFile);

const DEVELOPMENT = "cdx:npm:package:development";

const SBOM = z.object({
  $schema: z.string(),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.string(),
  version: z.number(),
  metadata: z.object({ component: z.looseObject({ "bom-ref": z.string(), purl: z.string() }) }),
  components: z.array(
    z.looseObject({
      "bom-ref": z.string(),
      version: z.string(),
      purl: z.string(),
      properties: z.array(z.object({ name: z.string() })).optional(),
      licenses: z
        .array(
          z.object({
            license: z.object({ id: z.string().optional(), name: z.string().optional() }).optional(),
            expression: z.string().optional(),
          }),
        )
        .optional(),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/** A CycloneDX document, reduced to what depends only on the lockfile. */
export type Sbom = z.infer<typeof SBOM>;

/**
 * Describes everything that ships: all packages of the lockfile except the development dependencies.
 * @param folder the repository.
 * @throws StartError when npm is missing or fails, for example because the lockfile doesn't match package.json.
 */
export async function readSbom(folder: string): Promise<Sbom> {
  const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--include=dev", "--include=optional"];
  const options = { cwd: folder, timeout: 60_000, maxBuffer: 64 * 1_024 * 1_024 };
  const { stdout } = await run("npm", args, options).catch((error: Error & { stderr?: string }) => {
    throw new StartError(`npm sbom failed: ${error.stderr?.trim() || error.message}`);
  });
  return normalizeSbom(JSON.parse(stdout));
}

/**
 * Makes npm's output reproducible. The serial number, the time and npm's own version change with every run; versions 10,
 * 11 and 12 of npm differ in names and properties, so names are taken from the package URL, and properties are dropped.
 * Development packages are dropped here and not with `--omit=dev`, which also drops what ships when a development package
 * needs it too (npm 10 to 12).
 * @throws ZodError when it isn't a CycloneDX document of npm's.
 */
export function normalizeSbom(document: unknown): Sbom {
  const { $schema, bomFormat, specVersion, version, metadata, ...rest } = SBOM.parse(document);
  const components = rest.components.filter(({ properties }) => !properties?.some(({ name }) => name === DEVELOPMENT));
  const shipped = new Set([metadata.component, ...components].map((component) => component["bom-ref"]));
  const dependencies = rest.dependencies.filter(({ ref }) => shipped.has(ref));
  return {
    $schema,
    bomFormat,
    specVersion,
    version,
    metadata: { component: describe({ ...metadata.component, type: "application" }) },
    components: components.map(describe).sort(by((component) => component["bom-ref"])),
    dependencies: dependencies
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => shipped.has(each)).toSorted() }))
      .sort(by(({ ref }) => ref)),
  };
}

/** The package name in an npm package URL: `pkg:npm/%40grpc/grpc-js@1.14.7`. */
export function packageName(purl: string): string {
  return decodeURIComponent(purl.replace(/^pkg:npm\//, "").replace(/@[^@]*$/, ""));
}

function describe<Component extends { purl: string }>(component: Component): Component {
  const {
    properties: _properties,
    externalReferences: _references,
    ...kept
  } = component as Component & Record<string, unknown>;
  return { ...kept, name: packageName(component.purl) } as unknown as Component;
}

function by<Value>(key: (value: Value) => string) {
  return (left: Value, right: Value) => (key(left) < key(right) ? -1 : 1);
}
