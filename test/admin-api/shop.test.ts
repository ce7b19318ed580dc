import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { adminApiOf } from "../harness/admin-api.ts";
import type { Deployment } from "../harness/deployment.ts";
import { onOperatedDeployment } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const GUIDE = readFileSync("docs/admin-api.md", "utf8");

onOperatedDeployment("the shop of docs/admin-api.md", (operated) => {
  let deployment: Deployment;
  let issueKeyFor: (order: { id: string; plan: string }) => Promise<string>;
  /** How many responses get lost after their changes were made. */
  let lost = 0;
  let requests = 0;
  const proxy = createServer(async (req, res) => {
    requests += 1;
    const { host: _, connection: _hop, "transfer-encoding": _encoding, ...headers } = req.headers;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const url = new URL(req.url ?? "", adminApiOf(deployment).url);
    const sent = { method: req.method ?? "", headers: headers as Record<string, string>, body: Buffer.concat(chunks) };
    const response = await fetch(url, sent);
    const text = await response.text();
    if (lost-- > 0) return void res.destroy();
    res.writeHead(response.status, { "content-type": "application/json" }).end(text);
  });
  before(async () => {
    deployment = operated();
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const admin = adminApiOf(deployment);
    const { json } = await admin.send("POST", "/operators", { name: "shop", role: "operator" });
    process.env.OPERATOR_TOKEN = json.token;
    process.env.ADMIN_API = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const [, example = ""] = /```js\n(.*?)```/s.exec(GUIDE) ?? [];
    const file = join(tempFolder(), "shop.mjs");
    writeFileSync(file, example);
    ({ issueKeyFor } = await import(file));
  });
  after(() => {
    delete process.env.OPERATOR_TOKEN;
    delete process.env.ADMIN_API;
    proxy.close();
  });
  const lookUp = async (key: string) =>
    (await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": key } })).status;
  const activeKeys = async (id: string) =>
    (await deployment.keys("list", "--search", `Order ${id}`, "--status", "active")).length;

  it("issues a key that works", async () => {
    const key = await issueKeyFor({ id: "a1", plan: "paid" });
    expect(await lookUp(key)).to.equal(200);
    expect(await activeKeys("a1")).to.equal(1);
    expect((await deployment.keys("list", "--search", "Order a1"))[0].plan).to.equal("paid");
  });

  it("returns one key that works, although responses get lost", async function () {
    this.timeout(60_000);
    for (const count of [1, 2]) {
      lost = count;
      requests = 0;
      const key = await issueKeyFor({ id: `b${count}`, plan: "paid" });
      expect(requests, "requests").to.be.above(count);
      expect(await lookUp(key)).to.equal(200);
      expect(await activeKeys(`b${count}`)).to.equal(1);
    }
  });

  it("fails with the reason if the order can't have a key", async () => {
    const error = await issueKeyFor({ id: "c1", plan: "none" }).catch((thrown: Error) => thrown);
    expect(error)
      .to.be.instanceOf(Error)
      .with.property("message")
      .that.match(/invalid_request.*plan.*none/s);
  });
});
