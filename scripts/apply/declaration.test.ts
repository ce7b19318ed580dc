import { expect } from "chai";
import { parseDeclaration } from "./declaration.ts";

const parse = (text: string | Uint8Array) =>
  parseDeclaration(typeof text === "string" ? Buffer.from(text) : text, "keys.yaml");
const nested = (levels: number) => `keys: ${"[".repeat(levels)}${"]".repeat(levels)}\n`;
/** Each list has the one before it nine times. */
const bomb = `${Array.from({ length: 9 }, (_, i) => `a${i}: &a${i} [${`${i === 0 ? "x" : `*a${i - 1}`}, `.repeat(9)}]\n`).join("")}keys: *a8\n`;

describe("a file that declares keys", () => {
  it("reads customers and keys, with defaults", () => {
    const text = `
customers:
  acme: { plan: paid, name: Acme Inc., monthlyRequests: 5000 }
  other: { plan: free, enabled: false }
keys:
  shop: &shop
    kind: publishable
    customer: acme
    origins: [https://shop.example]
    expires: 2027-01-01
    metadata: { team: web }
  server: { kind: secret, plan: paid, forward: true, label: Server }
  copy: *shop
`;
    const key = { label: "", origins: [], forward: false, expires: "", customer: "", metadata: {}, enabled: true };
    const shop = {
      ...{ ...key, kind: "publishable", customer: "acme", origins: ["https://shop.example"] },
      ...{ expires: "2027-01-01T00:00:00.000Z", metadata: { team: "web" } },
    };
    expect(parse(text)).to.deep.equal({
      customers: {
        acme: { plan: "paid", name: "Acme Inc.", monthlyRequests: 5000, enabled: true },
        other: { plan: "free", name: "", enabled: false },
      },
      keys: { shop, server: { ...key, kind: "secret", plan: "paid", forward: true, label: "Server" }, copy: shop },
    });
    expect(parse('{"keys": {"a": {"kind": "secret", "plan": "free"}}}').keys).to.have.keys("a");
  });

  it("reads what editors write: a byte order mark and CRLF", () =>
    expect(parse("\uFEFFkeys:\r\n  a:\r\n    kind: secret\r\n    plan: free\r\n").keys.a?.plan).to.equal("free"));

  for (const [what, text, message] of [
    [
      "an unknown property",
      "keys: { a: { kind: secret, plan: free, websites: [] } }",
      /keys\.a: Unrecognized key: "websites"/,
    ],
    ["an unknown section", "key: {}", /the file: Unrecognized key: "key"/],
    ["nothing", "", /the file: Invalid input/],
    ["a key without a plan", "keys: { a: { kind: secret } }", /keys\.a: needs a plan, or a customer/],
    ["a kind that doesn't exist", "keys: { a: { kind: public, plan: free } }", /keys\.a\.kind: Invalid option/],
    ["a duration", "keys: { a: { kind: secret, plan: free, expires: 30d } }", /keys\.a\.expires: must be a date/],
    ["an invalid date", "keys: { a: { kind: secret, plan: free, expires: 2027-02-30 } }", /must be a date/],
    [
      "a number as text",
      "keys: { a: { kind: secret, plan: free, metadata: { n: 1 } } }",
      /keys\.a\.metadata\.n: Invalid input/,
    ],
    [
      "its own name in the metadata",
      "keys: { a: { kind: secret, plan: free, metadata: { apply: b } } }",
      /metadata\.apply is/,
    ],
    ["an invalid name", 'keys: { "a b": { kind: secret, plan: free } }', /must be 1 to 64 characters from/],
    ["an invalid customer", "customers: { Acme: { plan: free } }", /isn't a customer's ID/],
    ["a quota of 0", "customers: { acme: { plan: free, monthlyRequests: 0 } }", /customers\.acme\.monthlyRequests/],
    [
      "a name twice",
      "keys:\n  a: { kind: secret, plan: free }\n  a: { kind: secret, plan: paid }\n",
      /Map keys must be unique/,
    ],
    ["two documents", "keys: {}\n---\nkeys: {}\n", /multiple documents/],
    ["invalid YAML", "keys: {", /isn't a YAML file/],
    ["many aliases that expand", bomb, /Excessive alias count/],
    [
      "merges that expand",
      bomb.replaceAll("[", "{ <<: [").replaceAll("]", "] }"),
      /isn't a YAML file|keys: Invalid input/,
    ],
    [
      "a line of 3 MB",
      `keys: { a: { kind: ${"x".repeat(3 * 2 ** 20)}, plan: free } }`,
      /keys\.a\.kind: Invalid option/,
    ],
    ["endless nesting", nested(100_000), /isn't a YAML file|keys: Invalid input/],
    ["a reference to itself", "keys: &a { a: *a }", /isn't a YAML file|keys\.a/],
    ["a prototype", "keys: { __proto__: { kind: secret, plan: free }, a: { plan: free } }", /keys\.a\.kind/],
    ["a function", "keys: { a: !!js/function 'function () {}' }", /keys\.a: Invalid input/],
    ["NUL characters", "keys: { a: { kind: secret\0, plan: free } }", /keys\.a\.kind|isn't a YAML file/],
    [
      "another encoding",
      Buffer.from("keys: { a: { kind: secret, plan: free, label: L\xe4den } }", "latin1"),
      /isn't a YAML file/,
    ],
    ["too many bytes", `# ${"x".repeat(2 ** 22)}\n`, /too large/],
    [
      "thousands of problems",
      `keys: {${Array.from({ length: 5_000 }, (_, i) => ` k${i}: 1`).join(",")} }`,
      /and 4980 more/,
    ],
  ] as const)
    it(`refuses ${what}`, () => {
      const startedAt = performance.now();
      expect(() => parse(text))
        .to.throw(message)
        .with.property("message")
        .with.length.below(10_000);
      expect(performance.now() - startedAt).to.be.below(15_000);
    });
});
