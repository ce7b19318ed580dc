import { expect } from "chai";
import { onEveryConsole } from "../harness/console/console-suite.ts";

const DAY_MS = 86_400_000;
const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);

onEveryConsole("console: a key's life, customers and operators", (console) => {
  it("rotates a key: the successor works, both pages link to each other", async () => {
    const operator = await console().operator();
    const { keyId } = await console().issueKey({ plan: "paid", kind: "secret", label: "rotated here" });
    const { status, text } = await operator.submit(`/console/keys/${keyId}/rotate`, { overlap: "86400" });
    expect(status).to.equal(200);
    expect(text).to.include(`It replaces <a href="/console/keys/${keyId}">`);
    const [, secret = ""] = /id="issued-key">(geo_sk_\w+)</.exec(text) ?? [];
    expect((await console().lookUp(secret)).status).to.equal(200);
    const [, successor = ""] = /href="\/console\/keys\/(key_\w+)">Usage and settings/.exec(text) ?? [];
    const [old, next] = await Promise.all([keyId, successor].map((id) => operator.get(`/console/keys/${id}`)));
    expect(old?.text)
      .to.include(`Replaced by</dt><dd><a href="/console/keys/${successor}">`)
      .and.include("Rotated: replaced");
    expect(old?.text).to.not.include(`action="/console/keys/${keyId}/rotate"`);
    expect(next?.text).to.include(`Replaces</dt><dd><a href="/console/keys/${keyId}">`).and.include("rotated here");
    expect((await operator.submit(`/console/keys/${keyId}/rotate`, { overlap: "1" })).status).to.equal(400);
    expect((await operator.submit(`/console/keys/${keyId}/rotate`, { overlap: "0" })).status).to.equal(409);
  });

  it("disables a key with a reason, and enables it again", async () => {
    const operator = await console().operator();
    const { keyId, key } = await console().issueKey({ plan: "paid", kind: "secret" });
    await operator.submit(`/console/keys/${keyId}/disable`, { reason: "invoice <open>" });
    const { text } = await operator.get(`/console/keys/${keyId}`);
    expect(text).to.include(">disabled</span>").and.include("invoice &#60;open&#62;");
    expect((await operator.get("/console/keys?status=disabled")).text).to.include(keyId);
    await operator.submit(`/console/keys/${keyId}/enable`);
    expect((await operator.get(`/console/keys/${keyId}`)).text).to.include(">active</span>");
    expect((await console().lookUp(key)).status).to.equal(200);
  });

  it("changes expiry, metadata and customer with the other settings, says so, and undoes it", async () => {
    const operator = await console().operator();
    const { keyId } = await console().issueKey({ plan: "paid", kind: "secret" });
    const id = `c${keyId.slice(4).toLowerCase()}`;
    await operator.submit("/console/customers/new", { id, name: "Settings", plan: "paid", monthlyRequests: "" });
    const change = { expires: tomorrow(), metadata: "crm=42\r\nteam=web=a", customer: id };
    const saved = await operator.saveSettings(keyId, change);
    expect(saved.status).to.equal(303);
    const { text } = await operator.get(saved.headers.location ?? "");
    expect(text).to.include("Metadata, customer, and expires saved.").and.include(`value="${tomorrow()}"`);
    expect(text).to.include("crm=42\nteam=web=a").and.include(`href="/console/customers/${id}"`);
    expect((await operator.get("/console/keys?search=crm%3D42")).text).to.include(keyId);
    expect((await operator.saveSettings(keyId, { expires: "", metadata: "", customer: "" })).status).to.equal(303);
    expect((await operator.get(`/console/keys/${keyId}`)).text)
      .to.include("Expiry removed")
      .and.not.include("crm=42</textarea>");
    const refused = await operator.saveSettings(keyId, { expires: "2020-01-01", label: "kept in the form" });
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include("kept in the form").and.include('value="2020-01-01"');
    expect((await operator.saveSettings(keyId, { customer: "nobody-has-this" })).status).to.be.within(400, 409);
  });

  it("issues a key of a customer that expires", async () => {
    const operator = await console().operator();
    await operator.submit("/console/customers/new", {
      id: "issue-here",
      name: "",
      plan: "paid",
      monthlyRequests: "12",
    });
    const form = await operator.get("/console/keys/new?customer=issue-here");
    expect(form.text).to.include('name="customer" value="issue-here"').and.include("<option selected>paid</option>");
    const [, once = ""] = /name="once" value="([\w-]+)"/.exec(form.text) ?? [];
    const fields = { once, kind: "secret", plan: "paid", label: "", origins: "", customer: "issue-here" };
    const { status, text } = await operator.submit("/console/keys/new", { ...fields, expires: tomorrow() });
    expect(status, text).to.equal(200);
    const page = await operator.get("/console/customers/issue-here");
    const [, keyId = ""] = /href="\/console\/keys\/(key_\w+)"/.exec(page.text) ?? [];
    expect(page.text).to.include("of 12");
    expect((await operator.get(`/console/keys/${keyId}`)).text).to.include(`value="${tomorrow()}"`);
    expect((await operator.get("/console/keys?customer=issue-here")).text).to.include(keyId);
    expect((await operator.get("/console/keys?customer=other")).text).to.include("No keys match");
  });

  it("adds, finds, changes, disables and enables a customer", async () => {
    const operator = await console().operator();
    const add = (fields: Record<string, string>) => operator.submit("/console/customers/new", fields);
    const acme = { id: "acme-1", name: "Acme <Inc>", plan: "paid", monthlyRequests: "1,000" };
    expect((await add(acme)).headers.location).to.equal("/console/customers/acme-1");
    for (const fields of [
      { ...acme },
      { ...acme, id: "A b" },
      { ...acme, id: "x", plan: "none" },
      { ...acme, id: "x", monthlyRequests: "many" },
    ]) {
      const refused = await add(fields);
      expect([refused.status, refused.text.includes('role="alert"')], JSON.stringify(fields)).to.deep.equal([
        400,
        true,
      ]);
    }
    expect((await operator.get("/console/customers?search=acme+%3Cinc")).text).to.include("Acme &#60;Inc&#62;");
    expect((await operator.get("/console/customers?search=nothing-like-it")).text).to.include("No customer matches");
    const page = (await operator.get("/console/customers/acme-1")).text;
    const [, version = ""] = /name="version" value="(\d+)"/.exec(page) ?? [];
    const settings = { name: "Acme", plan: "paid", monthlyRequests: "2000", version };
    expect((await operator.submit("/console/customers/acme-1/settings", settings)).status).to.equal(303);
    expect((await operator.submit("/console/customers/acme-1/settings", settings)).status).to.equal(400);
    expect((await operator.get("/console/customers/acme-1")).text)
      .to.include("of 2,000")
      .and.include("<h1>Acme</h1>");
    await operator.submit("/console/customers/acme-1/disable", { reason: "unpaid" });
    expect((await operator.get("/console/customers/acme-1")).text)
      .to.include(">disabled</span>")
      .and.include("unpaid");
    await operator.submit("/console/customers/acme-1/enable");
    expect((await operator.get("/console/customers/acme-1")).text).to.include(">active</span>");
    expect((await operator.get("/console/customers/none")).status).to.equal(404);
    expect((await operator.get("/console/customers/..%2fkeys")).status).to.equal(404);
  });

  it("adds operators, shows their tokens once, changes and removes them; their sessions end", async () => {
    const admin = await console().operator();
    const name = `zoe@${console().origin.length}.example.com`;
    const added = await admin.submit("/console/operators", { name, role: "viewer", expires: "" });
    const [, token = ""] = /(geo_op_\w{40})/.exec(added.text) ?? [];
    expect([added.status, token.length]).to.deep.equal([200, 47]);
    expect((await admin.get("/console/operators")).text)
      .to.include(name)
      .and.not.include(token);
    const again = await admin.submit("/console/operators", { name, role: "viewer", expires: "" });
    expect([again.status, again.text.includes('role="alert"')]).to.deep.equal([400, true]);

    const zoe = console().signedOut();
    expect((await zoe.post("/console/sign-in", { token })).status).to.equal(303);
    expect((await zoe.get("/console/keys")).text).to.include(`<span class="who">${name}</span>`);
    expect((await zoe.get("/console/operators")).status).to.equal(403);
    const path = `/console/operators/${encodeURIComponent(name)}`;
    await admin.submit(`${path}/role`, { role: "operator" });
    const replaced = await admin.submit(`${path}/token`, { expires: tomorrow() });
    const [, other = ""] = /(geo_op_\w{40})/.exec(replaced.text) ?? [];
    expect(other).to.not.equal(token);
    expect((await zoe.get("/console/keys")).status).to.equal(303);
    expect((await zoe.post("/console/sign-in", { token })).status).to.equal(403);
    expect((await zoe.post("/console/sign-in", { token: other })).status).to.equal(303);
    expect((await zoe.get("/console/keys/new")).status).to.equal(200);
    expect((await admin.submit(`${path}/remove`)).status).to.equal(303);
    expect((await zoe.get("/console/keys")).status).to.equal(303);
    expect((await admin.get("/console/operators")).text).to.not.include(name);
  });
});
