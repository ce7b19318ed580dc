import { expect } from "chai";
import { crowdedFolders, importProblems, missingReadmes, mutualImports } from "./import-rules.ts";

describe("lint: imports", () => {
  const cases: [what: string, path: string, imported: string, problem: RegExp | null][] = [
    ["shared in a service", "services/geo/src/a.ts", "@geolookup/shared/domain/plans.ts", null],
    ["another service by name", "services/geo/src/a.ts", "@geolookup/auth/key.ts", /imports the service auth/],
    ["another service by path", "services/geo/src/a.ts", "../../auth/src/key.ts", /imports the service auth/],
    ["geo in geo-data", "services/geo-data/src/a.ts", "@geolookup/geo/mmdb/a.ts", null],
    ["geo-data in geo's main.ts", "services/geo/src/main.ts", "@geolookup/geo-data/a.ts", null],
    ["geo-data in geo", "services/geo/src/a.ts", "@geolookup/geo-data/a.ts", /imports the service geo-data/],
    ["a service in shared", "services/shared/src/domain/a.ts", "../../../auth/src/key.ts", /imports the service auth/],
    ["any service in standalone", "services/standalone/src/a.ts", "@geolookup/auth/key.ts", null],
    ["any service in a script", "scripts/keys/run.ts", "@geolookup/auth/key.ts", null],
    ["a package", "services/geo/src/a.ts", "maxmind", null],
    ["a package with a path", "services/geo/src/a.ts", "node:fs/promises", null],
    ["the harness in a test", "services/geo/src/a.test.ts", "../../../test/harness/http.ts", null],
    ["the harness in a service", "services/geo/src/a.ts", "../../../test/harness/http.ts", /production code/],
    ["the harness in standalone", "services/standalone/src/a.ts", "../../../test/harness/a.ts", /production code/],
    ["a tool in a script", "scripts/keys/run.ts", "../../tools/bench/keys.ts", /production code/],
    ["a tool in a package", "packages/server/src/a.ts", "../../../tools/bench/keys.ts", /production code/],
    ["a tool in a script's test", "scripts/keys/run.test.ts", "../../tools/bench/keys.ts", null],
    ["a script in a tool", "tools/bench/run.ts", "../../scripts/command-line.ts", null],
    ["a tool in a service's test", "services/geo/src/a.test.ts", "../../../tools/bench/keys.ts", /only shared/],
    ["a script in a test", "services/geo/src/a.test.ts", "../../../scripts/run.ts", /only shared/],
    ["nats in its folder", "services/shared/src/runtime/nats/stream.ts", "@nats-io/jetstream", null],
    ["nats in a log", "services/shared/src/logs/keys/jetstream/stream.ts", "@nats-io/jetstream", /imports @nats-io/],
    ["nats in a test", "services/shared/src/logs/keys/jetstream/feed.test.ts", "@nats-io/jetstream", null],
    ["nats elsewhere", "services/shared/src/runtime/http/a.ts", "@nats-io/transport-node", /imports @nats-io/],
    ["nats in a service", "services/usage/src/a.ts", "@nats-io/jetstream", /imports @nats-io/],
    ["runtime in domain", "services/shared/src/domain/a.ts", "../runtime/clock.ts", /domain\/ is pure/],
    ["logs in domain, by name", "services/shared/src/domain/a.ts", "@geolookup/shared/logs/a.ts", /domain\/ is pure/],
    ["domain in runtime", "services/shared/src/runtime/http/a.ts", "../../domain/plans.ts", null],
  ];
  for (const [what, path, imported, problem] of cases)
    it(`${problem ? "refuses" : "allows"} ${what}`, () => {
      for (const text of [
        `import { a } from "${imported}";`,
        `import("${imported}")`,
        `export * from "${imported}";`,
      ]) {
        const found = importProblems(path, text);
        if (problem) expect(found).to.have.length(1).and.have.property("0").that.matches(problem);
        else expect(found).to.deep.equal([]);
      }
    });

  it("finds folders of a service that import each other", () => {
    const texts = (...imports: [path: string, imported: string][]) =>
      new Map(imports.map(([path, imported]) => [`services/geo/src/${path}`, `import { a } from "${imported}";`]));
    const [problem, ...others] = mutualImports(texts(["mmdb/a.ts", "../schema/b.ts"], ["schema/c.ts", "../mmdb/d.ts"]));
    expect(problem).to.match(/^two folders import each other: .*mmdb\/a\.ts imports .*, and .*schema\/c\.ts imports /);
    expect(others).to.deep.equal([]);
    expect(mutualImports(texts(["mmdb/a.ts", "../schema/b.ts"], ["schema/c.ts", "../places/d.ts"]))).to.deep.equal([]);
    expect(mutualImports(texts(["mmdb/a.ts", "../main.ts"], ["main.ts", "./mmdb/a.ts"]))).to.deep.equal([]);
    expect(mutualImports(texts(["mmdb/a.ts", "../schema/b.ts"], ["schema/c.test.ts", "../mmdb/d.ts"]))).to.deep.equal(
      [],
    );
  });

  it("demands a README of 10 to 40 lines of each service, and of each room with more than six source files", () => {
    const room = (folder: string, count: number) =>
      Array.from({ length: count }, (_, index) => [`${folder}/${index}.ts`, `${folder}/${index}.test.ts`]).flat();
    const missing = (lines: number, ...paths: string[]) =>
      missingReadmes(paths, () => lines).map((problem) => problem.split(" ")[0]);
    const door = "services/geo/README.md";
    expect(missing(10, ...room("services/geo/src", 1))).to.deep.equal([door]);
    expect(missing(10, ...room("services/geo/src", 1), door)).to.deep.equal([]);
    expect(missing(9, ...room("services/geo/src", 1), door)).to.deep.equal([door]);
    expect(missing(40, ...room("services/geo/src", 7), door)).to.deep.equal([]);
    expect(missing(41, ...room("services/geo/src", 1), door)).to.deep.equal([door]);
    expect(missing(10, ...room("services/geo/src/mmdb", 6), door)).to.deep.equal([]);
    expect(missing(10, ...room("services/geo/src/mmdb", 7), door)).to.deep.equal(["services/geo/src/mmdb/README.md"]);
    expect(missing(10, ...room("scripts/keys", 7), ...room("tools/bench", 6))).to.deep.equal([
      "scripts/keys/README.md",
    ]);
    expect(missing(10, ...room("test/harness", 7))).to.deep.equal([]);
  });

  it("counts the files at the root of a service", () => {
    const files = (count: number, folder: string) =>
      Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`);
    expect(crowdedFolders(files(15, "services/geo/src"))).to.deep.equal([]);
    expect(crowdedFolders(files(30, "services/geo/src/lookup"))).to.deep.equal([]);
    expect(crowdedFolders(files(16, "services/geo/src"))).to.deep.equal([
      "services/geo/src has 16 files; at most 15 may be outside its folders",
    ]);
  });
});
