import { expect } from "chai";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { forged } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const PAGE_SIZE = 50;
const MANY = 60;
const KNOWN_MS = 10_000;

onEveryDeployment("console: the list of keys", (deployment) => {
  const label = `list ${Math.random().toString(36).slice(2)}`;
  let operator: ConsoleClient;

  before(async function () {
    this.timeout(60_000);
    operator = consoleBrowser(deployment());
    await operator.signIn();
    for (let count = 0; count < MANY; count += 1)
      await deployment().issueKey({ label: `${label} ${count}.`, kind: "publishable" });
    await deployment().issueKey({ label: `${label} secret`, kind: "secret", plan: "free" });
    const { keyId } = await deployment().issueKey({
      label: `${label} revoked`,
      kind: "publishable",
      origins: ["https://list.test"],
    });
    // The console's auth node may learn of a key that another node issued a moment later.
    const revoke = async () => (await operator.submit(`/console/keys/${keyId}/revoke`, { reason: "" })).status === 303;
    await waitFor("the last key to be known", revoke, KNOWN_MS);
  });

  /** The labels on a page of the list, and where the next page is. */
  async function list(query: string) {
    const { status, text } = await operator.get(`/console/keys?${query}`);
    expect(status).to.equal(200);
    const labels = [...text.matchAll(/<th scope="row"><a href="[^"]*">(.*?)<\/a>/g)].map(([, found]) => found ?? "");
    const [, next] = /rel="next" href="\/console\/keys\?([^"]*)"/.exec(text) ?? [];
    return { labels, next: next?.replaceAll("&#38;", "&"), text };
  }

  it("has pages, with each key on one of them, in the order they were issued", async () => {
    const first = await list(new URLSearchParams({ search: label, kind: "publishable" }).toString());
    expect(first.labels).to.have.length(PAGE_SIZE);
    expect(first.text)
      .to.match(/<title>Keys · \S+ · geolookup<\/title>/)
      .and.not.include("First page");
    const second = await list(first.next ?? "");
    expect([second.next, second.text.includes("First page")]).to.deep.equal([undefined, true]);
    const all = [...first.labels, ...second.labels];
    const expected = Array.from({ length: MANY }, (_, count) => `${label} ${count}.`);
    expect(all).to.deep.equal([...expected, `${label} revoked`]);
  });

  it("says how many keys there are", async () => {
    const [, all = "0"] = />([\d,]+) keys in all</.exec((await list("")).text) ?? [];
    expect(Number(all.replaceAll(",", ""))).to.be.at.least(MANY + 2);
  });

  it("sorts by a column, with links that keep the order while paging and filtering", async () => {
    const last = (labels: readonly string[]) => labels.map((each) => each.slice(label.length + 1));
    const query = (sort: string) => new URLSearchParams({ search: label, sort }).toString();
    const first = await list(query("-label"));
    const second = await list(first.next ?? "");
    const numbers = Array.from({ length: MANY }, (_, count) => `${MANY - 1 - count}.`);
    expect(last([...first.labels, ...second.labels])).to.deep.equal(["secret", "revoked", ...numbers]);
    for (const { text } of [first, second]) {
      expect(text).to.include('<option value="-label" selected>');
      expect(text.match(/aria-sort="\w+"/g)).to.deep.equal(['aria-sort="descending"']);
      expect(text).to.match(/aria-sort="descending"><a href="[^"]*sort=label"/);
      expect(text).to.include(`search=${encodeURIComponent(label).replaceAll("%20", "+")}&#38;sort=kind"`);
    }
    expect(last((await list(query("-kind"))).labels)[0]).to.equal("secret");
    expect(last((await list(query("-status"))).labels)[0]).to.equal("revoked");
    expect(last((await list(query("-issued"))).labels).slice(0, 2)).to.deep.equal(["revoked", "secret"]);
    expect((await list(query("nothing"))).text).to.include('<option value="issued" selected>');
  });

  it("lists the keys that are used most, most first", async () => {
    const used = await Promise.all(["few", "many"].map((name) => deployment().issueKey({ label: `${label} ${name}` })));
    const counts = [1, 2];
    for (const [index, { key }] of used.entries())
      for (let count = 0; count < (counts[index] ?? 0); count += 1)
        await deployment().send({ path: `/v1/geo?key=${key}` });
    const query = new URLSearchParams({ search: label, sort: "-used" }).toString();
    await waitFor(
      "both keys to be listed",
      async () => (await list(query)).labels.join() === `${label} many,${label} few`,
      KNOWN_MS,
    );
    expect((await list("search=nobody-has-this&sort=-used")).text).to.include("List all keys");
  });

  it("finds by a part of an origin, and says when nothing matches", async () => {
    expect((await list("search=//list.test&status=revoked")).labels).to.include(`${label} revoked`);
    const { labels, text } = await list("search=nobody-has-this");
    expect([labels, text.includes("No keys match.")]).to.deep.equal([[], true]);
  });

  it("opens the page of a pasted key, or searches by the end of an unknown one, without the key in any URL", async () => {
    const { key, keyId } = await deployment().issueKey({ label: `${label} pasted`, kind: "secret" });
    const [form = ""] = /<form class="filter"[^>]*>/.exec((await operator.get("/console/keys")).text) ?? [];
    expect(form).to.include('method="post" action="/console/keys/search"');
    const search = (text: string) =>
      operator.submit("/console/keys/search", { search: ` ${text}`, status: "active", sort: "-label" });
    const isFound = async () => (await search(key)).headers.location === `/console/keys/${keyId}`;
    await waitFor("the key to be found", isFound, KNOWN_MS);
    const unknown = forged(key);
    const { status, headers, text } = await search(unknown);
    const ending = `geo_sk_${encodeURIComponent("…")}${unknown.slice(-4)}`;
    expect([status, headers.location]).to.deep.equal([303, `/console/keys?search=${ending}&status=active&sort=-label`]);
    expect(text).to.not.include(unknown);
    expect((await search("a & b")).headers.location).to.equal("/console/keys?search=a+%26+b&status=active&sort=-label");
    expect((await operator.post("/console/keys/search", { search: key })).status).to.equal(403);
    // Typed by hand, it is not repeated on the page.
    expect((await list(`search=${key}`)).text).to.not.include(key);
  });

  it("refuses invalid filters and page tokens, and says why", async () => {
    for (const [query, words] of [
      ["kind=golden", /kind must be publishable or secret/],
      ["status=lost", /status must be one of .*, active/],
      ["after=key_nobody", /Start from the first page/],
    ] as const) {
      const { status, text } = await operator.get(`/console/keys?${query}`);
      expect(status, query).to.equal(400);
      expect(text).to.match(words);
    }
  });

  it("shows the limits of a key's plan, also on the key's page", async () => {
    const { keyId } = await deployment().issueKey({ label: `${label} limited`, plan: "both" });
    const limits = "12 an hour per caller, 5 a second (burst 30)";
    // The console's auth node may learn of a key that another node issued a moment later.
    const shown = async () => (await operator.get(`/console/keys/${keyId}`)).text.includes(limits);
    await waitFor("the key's page to show its limits", shown, KNOWN_MS);
    expect((await list(new URLSearchParams({ search: keyId }).toString())).text).to.include(limits);
    expect((await list(new URLSearchParams({ search: `${label} secret` }).toString())).text).to.not.include(
      "an hour per",
    );
  });
});
