import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect } from "chai";
import { installServerPackage } from "../harness/packed-server-package.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { exampleSuite } from "./example-suite.ts";

const PACKAGE = "node_modules/@geolookup/server";
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
      "LICENSE",
    ]);
    const root = join(folder, PACKAGE);
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(manifest).to.not.have.any.keys("dependencies", "devDependencies");
    // The stand-ins for the frameworks' types stay in the repository.
    expect(existsSync(join(root, "dist/frameworks.d.ts"))).to.equal(false);
  });

  it("is what the docs host serves, with the hash in the guide", () => {
    const { folder } = install();
    const { version } = JSON.parse(readFileSync("packages/server/package.json", "utf8"));
    const served = tempFolder();
    const file = resolve(`packages/server/versions/geolookup-server-${version}.tgz`);
    execFileSync("tar", ["-xzf", file, "--strip-components=1", "-C", served]);
    const help = "run: npm pack --workspace packages/server --pack-destination packages/server/versions";
    expect(textsIn(served), help).to.deep.equal(textsIn(join(folder, PACKAGE)));
    const integrity = `sha512-${hash("sha512", readFileSync(file), "base64")}`;
    expect(readFileSync("docs/site/back-end.md", "utf8"), "the hash in the guide").to.include(`\`${integrity}\``);
  });
});

/** The files of a folder, by their paths. */
function textsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}
