import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { runHere } from "../harness/command.ts";
import type { Deployment } from "../harness/deployment.ts";
import { onOperatedDeployment } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const GUIDE = readFileSync("docs/keys.md", "utf8");

onOperatedDeployment("the file of docs/keys.md that declares keys", (operated) => {
  let deployment: Deployment;
  before(() => {
    deployment = operated();
  });
  const file = join(tempFolder(), "keys.yaml");
  const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(GUIDE) ?? [];
  const declared = yaml.replace("2027", String(new Date().getUTCFullYear() + 1));
  const apply = async (...args: string[]) => {
    const result = await runHere(["apply", file, ...args], { DATA_DIR: deployment.dataDir });
    expect(result.status, result.stderr).to.equal(0);
    return result.stdout;
  };
  const keys = async () => {
    const all: { customer?: string; metadata?: { apply?: string } }[] = await deployment.keys("list");
    return all.filter(({ metadata }) => metadata?.apply !== undefined);
  };

  it("is applied by the guide's commands, once", async () => {
    writeFileSync(file, declared);
    const commands = [...GUIDE.matchAll(/^\.\/geolookup (apply keys\.yaml.*?)(?: #.*)?$/gm)].map(
      ([, command]) => command,
    );
    expect(commands).to.deep.equal(["apply keys.yaml --dry-run", "apply keys.yaml"]);
    expect(await apply("--dry-run"))
      .to.include("billing")
      .and.include("nothing was changed");
    expect(await keys()).to.have.length(0);
    await apply();
    expect((await keys()).map(({ customer, metadata }) => [metadata?.apply, customer])).to.have.deep.members([
      ["shop", "acme"],
      ["billing", undefined],
    ]);
    const issued = readFileSync(`${file}.keys.csv`, "utf8");
    const [billing = ""] = /geo_sk_\w+/.exec(issued) ?? [];
    expect((await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": billing } })).status).to.equal(200);
    expect(await apply()).to.include("Nothing was changed");
  });

  it("changes only what was edited", async () => {
    writeFileSync(
      file,
      declared.replace("500000", "600000").replace("label: Shop", "label: Store\n    enabled: false"),
    );
    const text = await apply("--dry-run");
    expect(text).to.include("monthlyRequests: 500000 to 600000").and.not.include("billing");
    await apply();
    const [shop] = await deployment.keys("list", "--search", "apply=shop");
    expect([shop.label, shop.status]).to.deep.equal(["Store", "disabled"]);
    expect(await keys()).to.have.length(2);
  });
});
