import { expect } from "chai";
import type { Deployment } from "../harness/deployment.ts";
import { onOperatedDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const FORM = "application/x-www-form-urlencoded";

onOperatedDeployment("the page where customers see their usage", (operated) => {
  let deployment: Deployment;
  before(() => {
    deployment = operated();
  });

  const onDocsHost = (path: string, sent: object = {}) => deployment.send({ path, host: deployment.docsHost, ...sent });
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    onDocsHost(path, {
      ...{ method: "POST", headers: { "content-type": FORM, ...headers } },
      body: new URLSearchParams(fields).toString(),
    });
  const textOf = (page: string) => page.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  const problemOf = (page: string) =>
    /<p class="problem"[^>]*>(.*?)<\/p>/s.exec(page)?.[1]?.replaceAll("&#39;", "'") ?? "";
  const lookUp = async (key: string, headers = {}) =>
    (await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": key, ...headers } })).status;

  it("has a form, which the frame of the docs links to, and the search and the privacy page mention", async () => {
    const page = await onDocsHost("/account");
    expect(page.status).to.equal(200);
    expect(page.text).to.include('<form method="post" action="/account"').and.include('type="password"');
    expect(page.headers["content-security-policy"]).to.include("form-action 'self'").and.include("default-src 'none'");
    expect(page.headers["cache-control"]).to.equal("no-store");
    expect(page.headers).to.not.have.property("set-cookie");
    for (const path of ["/", "/reference"])
      expect((await onDocsHost(path)).text, path).to.include('<a href="/account">Your usage</a>');
    expect((await onDocsHost("/privacy")).text).to.include('href="/account"');
    expect((await onDocsHost("/search.json")).text).to.include('"/account"');
  });

  it("shows a key's plan, quota, requests, expiry, origins and refusals", async () => {
    const label = "Shop <b>";
    const origins = ["https://shop.example.com"];
    const { key } = await deployment.issueKey({ kind: "secret", plan: "paid", label, origins });
    expect([await lookUp(key), await lookUp(key)]).to.deep.equal([200, 200]);
    expect(await lookUp(key, { origin: "https://other.example.com" })).to.equal(403);
    const page = await waitFor(
      "the requests",
      async () => {
        const { status, text, headers } = await post("/account", { key });
        expect(status).to.equal(200);
        const hasAll = ["Used this month 2 ", "origin_not_allowed"].every((part) => textOf(text).includes(part));
        return hasAll && { text, headers };
      },
      5_000,
    );
    const text = textOf(page.text);
    const plans = (await deployment.keys("plans")).plans;
    const quota = plans.paid.monthlyRequests;
    for (const fact of [
      "Status active",
      "Plan paid",
      `Quota ${quota.toLocaleString("en")} requests a month`,
      "Used today 2 on ",
      `Left ${(quota - 2).toLocaleString("en")}`,
      "Expires never",
      "Origins https://shop.example.com",
      "Code Today This month origin_not_allowed 1 1",
    ])
      expect(text).to.include(fact);
    expect(page.text)
      .to.include("Shop &#60;b&#62;")
      .and.include(`geo_sk_…${key.slice(-4)}`);
    expect(page.text).to.not.include(key);
    expect(page.headers["cache-control"]).to.equal("no-store");
    expect(page.headers).to.not.have.property("set-cookie");
  });

  for (const [what, key, status, problem] of [
    ["nothing", "", 400, /isn't a secret key/],
    ["what isn't a key", "hunter2", 400, /isn't a secret key/],
    ["markup", "<script>alert(1)</script>", 400, /isn't a secret key/],
    ["a key that was never issued", `geo_sk_k001${"a".repeat(22)}_${"b".repeat(22)}`, 403, /doesn't exist/],
  ] as const)
    it(`refuses ${what}, without repeating it`, async () => {
      const page = await post("/account", { key });
      expect(page.status).to.equal(status);
      expect(problemOf(page.text)).to.match(problem);
      if (key !== "") expect(page.text).to.not.include(key);
    });

  it("refuses a publishable key politely", async () => {
    const { key } = await deployment.issueKey({ kind: "publishable", plan: "free" });
    const page = await post("/account", { key });
    expect(page.status).to.equal(400);
    expect(problemOf(page.text)).to.include("This is a publishable key");
    expect(page.text).to.not.include(key);
  });

  it("takes a key from the body of a form only", async () => {
    const { key } = await deployment.issueKey({ label: "only in a body" });
    for (const path of [`/account?key=${key}`, `/account/${key}`]) {
      const page = await onDocsHost(path);
      expect(page.text).to.not.include("only in a body").and.not.include(key);
    }
    const json = await onDocsHost("/account", {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ key }) },
    });
    expect(json.status).to.equal(415);
    const twice = await onDocsHost("/account", {
      ...{ method: "POST", headers: { "content-type": FORM }, body: `key=${key}&key=${key}` },
    });
    expect(twice.status).to.equal(400);
    const large = await post("/account", { key: key.padEnd(5_000, "x") });
    expect(large.status).to.equal(413);
  });

  it("rotates a key that is pasted again, as self-service", async () => {
    const { key, keyId } = await deployment.issueKey({ label: "rotated here" });
    expect((await post("/account", { key })).text).to.include('action="/account/rotate"');
    expect((await post("/account/rotate", { key, overlap: "12345" })).status).to.equal(400);
    const page = await post("/account/rotate", { key, overlap: "86400" });
    expect(page.status).to.equal(200);
    expect(textOf(page.text)).to.include("The old key works until ");
    const [successor = ""] = /geo_sk_[0-9A-Za-z]{26,}_[0-9A-Za-z]{22}/.exec(page.text) ?? [];
    expect([await lookUp(key), await lookUp(successor)]).to.deep.equal([200, 200]);
    expect(successor).to.not.equal(key);
    expect(textOf((await post("/account", { key: successor })).text)).to.include("shared with your other keys");
    const history = await deployment.keys("history", keyId);
    const rotation = history.at(-1);
    expect([rotation.type, rotation.by]).to.deep.equal(["KeyRotated", "self-service"]);
    const again = await post("/account/rotate", { key, overlap: "0" });
    expect([again.status, problemOf(again.text)]).to.deep.equal([403, "This key can't be rotated here."]);
    const atOnce = await post("/account/rotate", { key: successor, overlap: "0" });
    expect(textOf(atOnce.text)).to.include("The old key no longer works");
    const revoked = await deployment.issueKey();
    await deployment.keys("revoke", revoked.keyId, "--reason", "test");
    expect((await post("/account/rotate", { key: revoked.key, overlap: "0" })).status).to.equal(403);
    expect(textOf((await post("/account", { key: revoked.key })).text)).to.include("Status revoked since ");
    for (const secret of [key, successor]) expect(deployment.output()).to.not.include(secret);
  });

  it("says until when a rotated key works, which can be its expiry", async () => {
    const { key, keyId } = await deployment.issueKey({ label: "expires first" });
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await deployment.keys("expire", keyId, day);
    const { text } = await post("/account/rotate", { key, overlap: String(7 * 86_400) });
    expect(textOf(text)).to.include(`works until ${day} 00:00 UTC`);
  });

  it("answers briefly when there are many invalid keys, and still shows a valid one", async () => {
    const { key } = await deployment.issueKey();
    let brief: Awaited<ReturnType<typeof post>> | undefined;
    while (!brief) {
      const pages = await Promise.all(Array.from({ length: 20 }, () => post("/account", { key: "wrong" })));
      brief = pages.find(({ status }) => status === 429);
    }
    expect(brief.headers["retry-after"]).to.equal("1");
    expect(brief.text.length).to.be.below(400);
    expect((await post("/account", { key })).status).to.equal(200);
  });

  it("accepts no other method", async () => {
    for (const method of ["PUT", "DELETE", "PATCH"])
      expect((await onDocsHost("/account", { method })).status).to.equal(405);
    expect((await onDocsHost("/account/rotate")).status).to.equal(404);
  });
});
