import { expect } from "chai";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const ALLOWLIST = [
  "https://app.example.com",
  "https://*.wild.example.com",
  "http://localhost:3000",
  "https://b\u00fccher.example",
  "https://UPPER.example.com",
  "https://ports.example.com:8443",
  "http://[2001:db8::7]:8080",
];

const ALLOWED = [
  ["on the list", "https://app.example.com"],
  ["upper case in the host", "https://APP.Example.COM"],
  ["upper case in the scheme", "HTTPS://app.example.com"],
  ["the scheme's default port", "https://app.example.com:443"],
  ["one label for the wildcard", "https://a.wild.example.com"],
  ["several labels for the wildcard", "https://a.b.wild.example.com"],
  ["upper case under the wildcard", "https://A.Wild.Example.com"],
  ["a port on the list", "http://localhost:3000"],
  ["another port on the list", "https://ports.example.com:8443"],
  ["punycode of an entry in Unicode", "https://xn--bcher-kva.example"],
  ["lower case of an entry in upper case", "https://upper.example.com"],
  ["an IPv6 host", "http://[2001:db8::7]:8080"],
  ["an IPv6 host in long form", "http://[2001:0db8:0:0:0:0:0:7]:8080"],
] as const;

const REFUSED = [
  ["another scheme", "http://app.example.com"],
  ["another port", "https://app.example.com:8443"],
  ["no port where the entry has one", "https://ports.example.com"],
  ["another port where the entry has one", "http://localhost:3001"],
  ["the parent domain", "https://example.com"],
  ["a subdomain of an exact entry", "https://x.app.example.com"],
  ["the entry as the head of another domain", "https://app.example.com.evil.test"],
  ["the entry as the tail of another label", "https://evilapp.example.com"],
  ["the apex of the wildcard", "https://wild.example.com"],
  ["the wildcard's domain as the tail of another label", "https://evilwild.example.com"],
  ["an empty label for the wildcard", "https://.wild.example.com"],
  ["the wildcard itself", "https://*.wild.example.com"],
  ["the wildcard with another scheme", "http://a.wild.example.com"],
  ["the wildcard with a port", "https://a.wild.example.com:8443"],
  ["the wildcard as the head of another domain", "https://a.wild.example.com.evil.test"],
  ["the name with a dot at its end", "https://app.example.com."],
  ["null", "null"],
  ["user information", "https://app.example.com@evil.test"],
  ["user information before an allowed host", "https://user@app.example.com"],
  ["user and password", "https://user:pass@app.example.com"],
  ["a path", "https://app.example.com/page"],
  ["a slash", "https://app.example.com/"],
  ["a query", "https://app.example.com?x"],
  ["a fragment", "https://app.example.com#x"],
  ["a backslash", "https://app.example.com\\evil"],
  ["two origins", "https://app.example.com https://app.example.com"],
  ["two origins with a comma", "https://app.example.com, https://app.example.com"],
  ["no scheme", "app.example.com"],
  ["a relative scheme", "//app.example.com"],
  ["a script", "javascript:alert(1)"],
  ["nonsense", "!"],
] as const;

onEveryDeployment("contract 5.4: origin allowlist", (deployment) => {
  let publishable: IssuedKey;
  let secret: IssuedKey;
  let open: IssuedKey;
  before(async function () {
    this.timeout(30_000);
    [publishable, secret, open] = await Promise.all([
      deployment().sharedKey({ kind: "publishable", origins: ALLOWLIST }),
      deployment().sharedKey({ kind: "secret", origins: ALLOWLIST }),
      deployment().sharedKey({ kind: "publishable" }),
    ]);
  });
  const sendAs = (key: IssuedKey, headers: Record<string, string | string[]>) =>
    deployment().send({ ...keyed(key.key), headers });

  for (const [what, origin] of ALLOWED)
    it(`allows ${what}: ${origin}`, async () => {
      for (const key of [publishable, secret]) expectRecord(await sendAs(key, { Origin: origin }));
    });

  for (const [what, origin] of REFUSED)
    it(`refuses ${what}: ${origin}`, async () => {
      for (const key of [publishable, secret]) {
        const message = expectError(await sendAs(key, { Origin: origin }), "origin_not_allowed", deployment());
        // A backslash may be shown escaped.
        expect(message, "names the refused origin").to.include(origin.split("\\")[0]);
        expect(message, "names the key").to.include(key.display);
        expect(message).to.not.include(key.key);
      }
    });

  it("allows an origin wherever the key is sent", async () => {
    const headers = { Origin: "https://app.example.com" };
    expectRecord(await deployment().send({ headers: { ...headers, "X-API-Key": publishable.key } }));
    expectRecord(await deployment().send({ headers: { ...headers, Authorization: `Bearer ${publishable.key}` } }));
    const elsewhere = { Origin: "https://evil.test", "X-API-Key": publishable.key };
    expectError(await deployment().send({ headers: elsewhere }), "origin_not_allowed", deployment());
  });

  it("an empty list allows any origin, including null and none", async () => {
    for (const headers of [{}, { Origin: "null" }, { Origin: "https://anywhere.test" }, { Origin: "!" }] as const)
      expectRecord(await sendAs(open, headers));
  });

  it("no Origin: a publishable key falls back to the Referer's origin", async () => {
    for (const referer of [
      "https://app.example.com/",
      "https://app.example.com/page?query=1#part",
      "https://app.example.com",
      "https://deep.wild.example.com/page",
      "http://localhost:3000/page",
    ])
      expectRecord(await sendAs(publishable, { Referer: referer }));
    for (const [referer, named] of [
      ["https://evil.test/https://app.example.com/", "https://evil.test"],
      ["http://app.example.com/page", "http://app.example.com"],
      ["https://app.example.com:8443/page", "https://app.example.com:8443"],
    ] as const) {
      const message = expectError(await sendAs(publishable, { Referer: referer }), "origin_not_allowed", deployment());
      expect(message).to.include(named).and.to.include(publishable.display);
    }
  });

  it("no Origin and no usable Referer: a publishable key is refused", async () => {
    for (const headers of [
      {},
      { Referer: "app.example.com" },
      { Referer: "/page" },
      { Referer: "about:blank" },
    ] as const) {
      const message = expectError(await sendAs(publishable, headers), "origin_not_allowed", deployment());
      expect(message).to.include("Origin").and.to.include(publishable.display);
    }
  });

  it("an Origin is checked whatever the Referer is", async () => {
    const headers = { Origin: "https://evil.test", Referer: "https://app.example.com/" };
    expectError(await sendAs(publishable, headers), "origin_not_allowed", deployment());
  });

  it("a secret key without Origin is allowed: servers send none", async () => {
    expectRecord(await sendAs(secret, {}));
    expectRecord(await sendAs(secret, { Referer: "https://evil.test/" }));
  });

  it("two Origin headers never match", async () => {
    const headers = { Origin: ["https://app.example.com", "https://app.example.com"] };
    expectError(await sendAs(publishable, headers), "origin_not_allowed", deployment());
  });

  it("the message says what to change", async () => {
    const origin = "https://new.example.com";
    const message = expectError(await sendAs(publishable, { Origin: origin }), "origin_not_allowed", deployment());
    expect(message)
      .to.match(/allowlist/i)
      .and.to.match(/add/i);
  });

  it("a host in Unicode, as UTF-8 bytes, is compared in Punycode, and the message names that", async () => {
    // The client sends headers as Latin-1.
    const bytesOf = (text: string) => Buffer.from(text, "utf8").toString("latin1");
    expectRecord(await sendAs(publishable, { Origin: bytesOf("https://b\u00fccher.example") }));
    expectRecord(await sendAs(publishable, { Referer: bytesOf("https://b\u00fccher.example/page") }));
    const headers = { Origin: bytesOf("https://m\u00fcller.example") };
    const message = expectError(await sendAs(publishable, headers), "origin_not_allowed", deployment());
    // From RFC 3492's algorithm.
    expect(message).to.include("set-origins ID https://xn--mller-kva.example");
    const latin1 = { Origin: "https://b\u00fccher.example" };
    expect(expectError(await sendAs(publishable, latin1), "origin_not_allowed", deployment())).to.include(
      "isn't a valid",
    );
  });

  it("the refused origin is escaped and truncated", async () => {
    const long = `https://${"a".repeat(4000)}.test`;
    expect(
      expectError(await sendAs(publishable, { Origin: long }), "origin_not_allowed", deployment()),
    ).to.have.length.below(1000);
    const message = expectError(
      await sendAs(publishable, { Origin: "https://\u00e9vil.test\t\u00ff" }),
      "origin_not_allowed",
      deployment(),
    );
    for (const character of ["\t", "\u00e9", "\u00ff"]) expect(message).to.not.include(character);
  });

  it("a request without a key has no allowlist: any origin", async () => {
    for (const headers of [{ Origin: "https://evil.test" }, { Origin: "null" }] as const)
      expectRecord(await deployment().send({ headers }));
  });

  it("a changed allowlist applies to a key in use", async () => {
    const key = await deployment().issueKey({ kind: "publishable", origins: ["https://old.example.com"] });
    expectRecord(await sendAs(key, { Origin: "https://old.example.com" }));
    await deployment().keys("set-origins", key.keyId, "https://new.example.com");
    await waitFor(
      "the new allowlist",
      async () => (await sendAs(key, { Origin: "https://new.example.com" })).status === 200,
      5_000,
    );
    expectError(await sendAs(key, { Origin: "https://old.example.com" }), "origin_not_allowed", deployment());
  });
});
