import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { StartError } from "../lifecycle/start-error.ts";
import { STORE_VARIABLES } from "../nats/access.ts";
import { commaSeparated, httpUrl, port, readEnvironment, SECRETS } from "./env.ts";

const schema = z.object({
  PORT: port().default(8080),
  DOCS_URL: httpUrl().optional(),
  LIST: commaSeparated().optional(),
  TOKEN: z.string().min(4, "must have at least 4 characters"),
  STORES: STORE_VARIABLES.STORES,
  NATS_URL: z.string().optional(),
});
const read = (environment: Record<string, string>) => readEnvironment(schema, environment, ["TOKEN"], ["NATS_URL"]);

describe("readEnvironment", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "env-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const problemsOf = (environment: Record<string, string>): string[] => {
    try {
      read(environment);
    } catch (error) {
      expect(error).to.be.instanceOf(StartError);
      return (error as Error).message
        .split("\n")
        .slice(1)
        .map((line) => line.trim());
    }
    return [];
  };

  it("parses, fills in defaults and treats empty variables as unset", () => {
    expect(
      read({ PORT: "", TOKEN: "abcd", NATS_URL: "nats://h", LIST: " a, b ,,c", DOCS_URL: "https://d.example/" }),
    ).to.deep.equal({
      PORT: 8080,
      TOKEN: "abcd",
      NATS_URL: "nats://h",
      LIST: ["a", "b", "c"],
      DOCS_URL: "https://d.example",
      STORES: "cluster",
    });
  });
  it("names all invalid variables at once, and shows no secret", () => {
    expect(problemsOf({ PORT: "65536", DOCS_URL: "ftp://x", TOKEN: "abc" })).to.deep.equal([
      "NATS_URL: is required with STORES=cluster",
      'PORT: must be a whole number from 0 to 65535 (got "65536")',
      'DOCS_URL: must be an absolute http:// or https:// URL (got "ftp://x")',
      "TOKEN: must have at least 4 characters",
    ]);
  });
  it("names missing variables", () => expect(problemsOf({ STORES: "embedded" })).to.deep.equal(["TOKEN: is required"]));
  it("reads a secret from a file, without the trailing newline", () => {
    const file = join(folder, "token");
    writeFileSync(file, "from-file\n", { mode: 0o600 });
    expect(read({ TOKEN_FILE: file, STORES: "embedded" }).TOKEN).to.equal("from-file");
  });
  it("refuses a secret whose file is empty, and reports only that problem for the variable", () => {
    const file = join(folder, "empty");
    for (const text of ["", "\n", " \n"]) {
      writeFileSync(file, text, { mode: 0o600 });
      expect(problemsOf({ TOKEN_FILE: file, STORES: "embedded" })).to.deep.equal([
        `TOKEN_FILE: cannot read ${file}: it is empty`,
      ]);
    }
  });
  it("requires a certificate's key, and a key's certificate", () => {
    const tls = z.object({ TLS_CERT_FILE: z.string().optional(), TLS_KEY_FILE: z.string().optional() });
    expect(() => readEnvironment(tls, { TLS_CERT_FILE: "a" })).to.throw("TLS_KEY_FILE: is required with TLS_CERT_FILE");
    expect(() => readEnvironment(tls, { TLS_KEY_FILE: "a" })).to.throw("TLS_CERT_FILE: is required with TLS_KEY_FILE");
    expect(readEnvironment(tls, { TLS_CERT_FILE: "a", TLS_KEY_FILE: "b", NATS_KEY_FILE: "c" })).to.deep.equal({
      TLS_CERT_FILE: "a",
      TLS_KEY_FILE: "b",
    });
  });
  it("ignores the file of a secret that the service doesn't use", () => {
    const environment = { TOKEN: "abcd", STORES: "embedded", REDIS_URL_FILE: join(folder, "none") };
    expect(readEnvironment(schema, environment, [...SECRETS, "TOKEN"])).to.include({ TOKEN: "abcd" });
  });
  it("refuses a secret that is set twice, and one whose file can't be read", () => {
    expect(problemsOf({ TOKEN: "abcd", TOKEN_FILE: "x", STORES: "embedded" })).to.deep.equal([
      "TOKEN: set both directly and by TOKEN_FILE; keep one",
    ]);
    const [problem] = problemsOf({ TOKEN_FILE: join(folder, "none"), STORES: "embedded" });
    expect(problem).to.match(/^TOKEN_FILE: cannot read .*ENOENT/);
  });
});
