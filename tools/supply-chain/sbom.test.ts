import { expect } from "chai";
import { checkLicenses, licenseReport } from "./licenses.ts";
import { normalizeSbom, packageName } from "./sbom.ts";

const component = (name: string, version: string, extra: object = {}) => ({
  "bom-ref": `${name}@${version}`,
  type: "library",
  name,
  version,
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  ...extra,
});
const licensed = (name: string, id: string) => component(name, "1.0.0", { licenses: [{ license: { id } }] });
const sbom = (components: object[], metadata: object = {}) => ({
  $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: { component: component("geolookup", "0.1.0"), ...metadata },
  components,
  dependencies: components.map((each) => ({
    ref: (each as { "bom-ref": string })["bom-ref"],
    dependsOn: ["b@1.0.0", "@s/a@1.0.0"],
  })),
});

describe("normalizeSbom", () => {
  it("is the same in every run and for every version of npm", () => {
    const one = normalizeSbom({
      ...sbom([component("b", "1.0.0", { properties: [] }), component("@s/a", "1.0.0", { externalReferences: [] })], {
        timestamp: "2026-11-22T06:49:51.195Z",
        tools: [{ vendor: "npm", name: "cli", version: "11.19.1" }],
        component: component("geolookup", "0.1.0", { name: "some-folder" }),
      }),
      serialNumber: "urn:uuid:5216386d-faa1-4210-917b-375076c2b792",
    });
    const other = normalizeSbom({
      ...sbom(
        [
          component("@s/a", "1.0.0", { name: "a" }),
          component("b", "1.0.0", { properties: [{ name: "x", value: "y" }] }),
        ],
        { timestamp: "2027-01-01T00:00:00.000Z", tools: { components: [] } },
      ),
      serialNumber: "urn:uuid:bd8fe88a-54f0-4864-8b13-e9ffa9a5645e",
    });
    expect(JSON.stringify(one)).to.equal(JSON.stringify(other));
    expect(one.components.map(({ name }) => name)).to.deep.equal(["@s/a", "b"]);
    expect(one.dependencies[0]?.dependsOn).to.deep.equal(["@s/a@1.0.0", "b@1.0.0"]);
    expect(one.metadata.component).to.include({ name: "geolookup", type: "application" });
  });

  it("drops development packages, but not shipped packages that they also need", () => {
    const dev = component("dev", "1.0.0", { properties: [{ name: "cdx:npm:package:development", value: "true" }] });
    const { components, dependencies } = normalizeSbom({
      ...sbom([dev, component("ships", "1.0.0")]),
      dependencies: [
        { ref: "geolookup@0.1.0", dependsOn: ["dev@1.0.0", "ships@1.0.0"] },
        { ref: "dev@1.0.0", dependsOn: ["ships@1.0.0"] },
        { ref: "ships@1.0.0", dependsOn: [] },
      ],
    });
    expect(components.map(({ name }) => name)).to.deep.equal(["ships"]);
    expect(dependencies).to.deep.equal([
      { ref: "geolookup@0.1.0", dependsOn: ["ships@1.0.0"] },
      { ref: "ships@1.0.0", dependsOn: [] },
    ]);
  });

  it("refuses what isn't CycloneDX", () => {
    for (const bad of [null, {}, { ...sbom([]), bomFormat: "SPDX" }]) expect(() => normalizeSbom(bad)).to.throw();
  });
});

describe("packageName", () => {
  it("reads package URLs", () => {
    expect(packageName("pkg:npm/%40grpc/grpc-js@1.14.7")).to.equal("@grpc/grpc-js");
    expect(packageName("pkg:npm/tar@7.5.23")).to.equal("tar");
  });
});

describe("checkLicenses", () => {
  const check = (...components: object[]) => checkLicenses(normalizeSbom(sbom(components)), "MIT");

  it("accepts licenses on the allowlist, and this repository's own license for its packages", () => {
    const { packages, problems } = check(licensed("b", "ISC"), component("@geolookup/geo", "0.1.0"));
    expect(problems).to.deep.equal([]);
    expect(packages).to.deep.equal([
      { name: "@geolookup/geo", version: "0.1.0", license: "MIT" },
      { name: "b", version: "1.0.0", license: "ISC" },
    ]);
    expect(licenseReport(packages, [])).to.include("| b | 1.0.0 | ISC |");
  });

  it("refuses licenses that aren't on it, and packages that state none", () => {
    const expression = component("d", "1.0.0", { licenses: [{ expression: "(MIT OR GPL-3.0-only)" }] });
    const named = component("e", "1.0.0", { licenses: [{ license: { name: "SEE LICENSE IN EULA.txt" } }] });
    expect(check(licensed("a", "GPL-3.0-only"), component("c", "1.0.0"), expression, named).problems).to.deep.equal([
      "a@1.0.0 has the license GPL-3.0-only, which isn't on the allowlist",
      "c@1.0.0 states no license",
      "d@1.0.0 has the license (MIT OR GPL-3.0-only), which isn't on the allowlist",
      "e@1.0.0 has the license SEE LICENSE IN EULA.txt, which isn't on the allowlist",
    ]);
  });
});
