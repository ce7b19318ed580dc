import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { installServerPackage } from "../harness/packed-server-package.ts";
import { exampleSuite } from "./example-suite.ts";

const MODULES = ["geolookup", "express", "fastify", "hono", "next"];

let installed: ReturnType<typeof installServerPackage> | undefined;
function install() {
  installed ??= installServerPackage(["express"]);
  return installed;
}

// The other frameworks: test/full/back-ends.test.ts.
exampleSuite(
  "examples of @geolookup/server that need no other framework than Express",
  ["node", "express"].map((name) => ({ name, args: [`${name}.js`] })),
  () => install().folder,
);

describe("the package @geolookup/server that npm makes", function () {
  this.timeout(60_000);

  it("contains only plain JavaScript with types", () => {
    const { folder, files } = install();
    expect(files).to.include.members(MODULES.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]));
    expect(files.filter((name) => !/^dist\/[a-z-]+(\.d\.ts|\.js)$/.test(name))).to.have.members([
      "package.json",
      "README.md",
    ]);
    const root = join(folder, "node_modules/@geolookup/server");
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(manifest).to.not.have.any.keys("dependencies", "devDependencies");
    // The stand-ins for the frameworks' types stay in the repository.
    expect(existsSync(join(root, "dist/frameworks.d.ts"))).to.equal(false);
  });
});
