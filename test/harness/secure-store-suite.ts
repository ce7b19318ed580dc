import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createAuthority, testAuthority } from "./certificates.ts";
import { tempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

const DEADLINE_MS = 8_000;

/** The credentials that a service sends to a store. */
export interface SecureAccess {
  password?: string | undefined;
  caFile?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
}

/** One client of the store under test. */
export interface SecureClient {
  isUp(): boolean | Promise<boolean>;
  /** Its log lines. */
  logged(): readonly { reason?: unknown }[];
}

/** The suite for clients of a store with passwords and TLS: NATS and Redis. */
export function secureStoreSuite<Access extends SecureAccess>(store: {
  /** Valid credentials. */
  access(): Access;
  /** Opens a client; the store's own suite closes it. */
  open(access: Access): Promise<SecureClient>;
  /** What the log says for each refusal. */
  reasons: { wrongPassword: RegExp; noPassword: RegExp; certificate: RegExp; clientCertificate: RegExp };
  /** Checks a client whose credentials were refused. */
  afterRefusal?(client: SecureClient): Promise<void>;
}): void {
  const { reasons } = store;
  const until = (what: string, condition: () => boolean | Promise<boolean>) => waitFor(what, condition, DEADLINE_MS);

  it("valid credentials: connected", async () => {
    const client = await store.open(store.access());
    await until("the connection", () => client.isUp());
  });

  for (const [what, change, reason] of [
    ["a wrong password", { password: "wrong-hunter2" }, reasons.wrongPassword],
    ["no password", { password: undefined }, reasons.noPassword],
    ["another authority's certificate", { caFile: createAuthority().caFile }, reasons.certificate],
    ["a private authority without its certificate", { caFile: undefined }, reasons.certificate],
    ["no client certificate", { certFile: undefined, keyFile: undefined }, reasons.clientCertificate],
  ] as const)
    it(`${what}: refused, and the log says why, without the password`, async () => {
      const { password } = store.access();
      const client = await store.open({ ...store.access(), ...change });
      await until(`the reason ${reason}`, () => client.logged().some((line) => reason.test(String(line.reason))));
      expect(await client.isUp()).to.equal(false);
      await store.afterRefusal?.(client);
      const log = JSON.stringify(client.logged());
      for (const secret of ["hunter2", password ?? ""]) expect(log).to.not.include(secret);
    });

  it("a replaced client certificate is used without a restart", async () => {
    const folder = tempFolder();
    const files = { certFile: join(folder, "client.pem"), keyFile: join(folder, "client.key") };
    const install = (issued: { certFile: string; keyFile: string }) => {
      copyFileSync(issued.certFile, files.certFile);
      copyFileSync(issued.keyFile, files.keyFile);
    };
    install(createAuthority().issue({ names: [] }));
    const client = await store.open({ ...store.access(), ...files });
    await until("the refusal", () => client.logged().some((line) => line.reason !== undefined));
    expect(await client.isUp()).to.equal(false);
    rmSync(files.certFile);
    install(testAuthority().issue({ names: [] }));
    await until("the connection", () => client.isUp());
  });
}
