import { readFileSync } from "node:fs";
import { REMOVED_SETTINGS, SETTINGS } from "@geolookup/shared/runtime/env/misnamed-settings.ts";
import { expect } from "chai";
import { readDocumentedVariables } from "./documented-variables.ts";
import {
  variablesInComposeFiles,
  variablesInScripts,
  variablesInShell,
  variablesOfService,
} from "./variables-in-code.ts";

const SERVICES = ["standalone", "gateway", "auth", "geo", "usage", "portal"];
/** Set by the commands themselves; the page mentions them outside its tables. */
const SET_BY_COMMANDS = ["VERSION", "REVISION", "MODE", "MAY_LACK_SECRETS", "MAY_SWITCH_TLS", "DEPLOYMENT", "PARTS"];

describe("docs/configuration.md lists the variables that are read", () => {
  const rows = readDocumentedVariables();
  const compose = rows.filter(({ section }) => section === "Docker Compose").flatMap(({ names }) => names);
  const others = rows.filter(({ section }) => section !== "Docker Compose");

  for (const service of SERVICES)
    it(`${service}: all of them, and no other`, async () => {
      const documented = others.filter(({ readers }) => readers.includes(service)).flatMap(({ names }) => names);
      expect(documented.sort()).to.deep.equal([...(await variablesOfService(service))].sort());
    });

  it("Docker Compose: all that the Compose files use", () => {
    const used = [...variablesInComposeFiles()];
    expect(difference(used, [...compose, ...SET_BY_COMMANDS])).to.deep.equal([]);
  });

  it("Docker Compose: no variable that neither the Compose files nor the commands use", () => {
    expect(difference(compose, [...variablesInComposeFiles(), ...variablesInShell()])).to.deep.equal([]);
  });

  it("commands: all that scripts and the Makefile read", () => {
    const read = [...variablesInScripts(), ...variablesInShell()];
    expect(difference(read, [...rows.flatMap(({ names }) => names), ...SET_BY_COMMANDS])).to.deep.equal([]);
  });

  it("commands: no variable that nothing reads", async () => {
    const ofServices = await Promise.all(SERVICES.map(variablesOfService));
    const read = [...variablesInScripts(), ...variablesInShell(), ...ofServices.flatMap((names) => [...names])];
    expect(
      difference(
        others.flatMap(({ names }) => names),
        read,
      ),
    ).to.deep.equal([]);
  });

  it("all of them are in the list that misspelled settings are compared with (env/misnamed-settings.ts), and no other", () => {
    const documented = rows.flatMap(({ names }) => names).filter((name) => !(name in REMOVED_SETTINGS));
    expect(difference(documented, SETTINGS), "missing in the list").to.deep.equal([]);
    expect(difference(SETTINGS, documented), "not documented").to.deep.equal([]);
  });

  it("readers are services and commands of the Makefile", () => {
    const targets = [...readFileSync("Makefile", "utf8").matchAll(/^([a-z-]+):/gm)].map(([, name = ""]) => name);
    const scripts = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).scripts);
    const readers = others.flatMap(({ readers }) => readers);
    expect(difference(readers, [...SERVICES, ...targets, ...scripts])).to.deep.equal([]);
  });

  it("names each variable once in a table for each reader", () => {
    const pairs = others.flatMap(({ names, readers }) => names.flatMap((name) => readers.map((by) => `${name} ${by}`)));
    for (const list of [pairs, compose])
      expect(list.filter((item, index) => list.indexOf(item) !== index)).to.deep.equal([]);
  });
});

/** What is in `some` and not in `all`, sorted. */
function difference(some: readonly string[], all: readonly string[]): string[] {
  return [...new Set(some)].filter((item) => !all.includes(item)).sort();
}
