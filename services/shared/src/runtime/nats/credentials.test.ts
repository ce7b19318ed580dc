import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { openNats } from "./connection.ts";

const DEADLINE_MS = 8_000;

/** A key pair of NATS's own kind (Ed25519, named in base32). */
interface KeyPair {
  getPublicKey(): string;
  getSeed(): Uint8Array;
  sign(bytes: Uint8Array): Uint8Array;
}

/** A claim as `nsc` signs it (NATS's JWT, version 2): what `issuer` says about the key `subject`. */
function signed(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const claim = {
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name: "test",
    sub: subject.getPublicKey(),
  };
  const jti = createHash("sha256").update(JSON.stringify(claim)).digest("hex");
  const text = `${encode({ typ: "JWT", alg: "ed25519-nkey" })}.${encode({ ...claim, jti, nats: { ...nats, version: 2 } })}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString("base64url")}`;
}

describe("NATS_CREDS_FILE", () => {
  const folder = tempFolder();
  const [operator, account, user, stranger]: KeyPair[] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createUser(),
    nkeys.createUser(),
  ];
  let server: NatsServer;
  before(async () => {
    if (!operator || !account) throw new Error("no keys");
    const config = join(folder, "nats.conf");
    const unlimited = {
      subs: -1,
      data: -1,
      payload: -1,
      imports: -1,
      exports: -1,
      wildcards: true,
      conn: -1,
      leaf: -1,
    };
    writeFileSync(
      config,
      `operator: ${signed(operator, operator, { type: "operator" })}
resolver: MEMORY
resolver_preload { ${account.getPublicKey()}: ${signed(operator, account, { type: "account", limits: unlimited })} }
`,
    );
    server = await startNatsServer({ config });
  });
  after(() => server.stop());

  const credentialsFor = (issued: KeyPair, by: KeyPair) => {
    const jwt = signed(by, issued, { type: "user", subs: -1, data: -1, payload: -1 });
    const seed = Buffer.from(issued.getSeed()).toString();
    return `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n
-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
  };

  it("authenticates a service, and is reread after a refusal", async () => {
    if (!user || !stranger || !account) throw new Error("no keys");
    const credsFile = join(folder, "user.creds");
    writeFileSync(credsFile, credentialsFor(stranger, stranger));
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const link = openNats({ url: server.url, access: { credsFile }, name: "test", log });
    await waitFor("the refusal", () => /rejected the user.*NATS_CREDS_FILE/.test(lines[0] ?? ""), DEADLINE_MS);
    writeFileSync(credsFile, "");
    await waitFor("a log line about the empty file", () => lines.length === 2, DEADLINE_MS);
    writeFileSync(credsFile, credentialsFor(user, account));
    await (await link.connected()).raw.flush();
    for (const line of lines) expect(line).to.not.include(Buffer.from(user.getSeed()).toString());
    await link[Symbol.asyncDispose]();
  });
});
