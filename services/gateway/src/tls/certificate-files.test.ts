import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { createAuthority } from "../../../../test/harness/certificates.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { type CertificateFiles, openCertificateFiles } from "./certificate-files.ts";

const DAY_MS = 86_400_000;
const DEADLINE_MS = 15_000;

describe("TLS certificate files", () => {
  const authority = createAuthority();
  let paths: { certFile: string; keyFile: string };
  let lines: { level: number; msg: string; reason?: string }[];
  let registry: Registry;
  /** How much later it is than the clock says that stamps the certificates. */
  let laterMs: number;
  let files: CertificateFiles | undefined;
  beforeEach(() => {
    const folder = tempFolder();
    paths = { certFile: join(folder, "tls.pem"), keyFile: join(folder, "tls.key") };
    lines = [];
    registry = new Registry();
    laterMs = 0;
    files = undefined;
  });
  afterEach(async () => files?.[Symbol.asyncDispose]());

  const put = (path: string, source: string) => {
    copyFileSync(source, `${path}.new`);
    renameSync(`${path}.new`, path);
  };
  const install = (days: number) => {
    const issued = authority.issue({ days });
    put(paths.keyFile, issued.keyFile);
    put(paths.certFile, issued.certFile);
    return readFileSync(issued.certFile, "utf8");
  };
  const open = async () => {
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    files = await openCertificateFiles({ ...paths, clock: () => Date.now() + laterMs, log, registry });
    return files;
  };
  const metric = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  const errors = () => lines.filter(({ level }) => level >= 50);
  const complaint = async (reason: RegExp) => {
    await waitFor(`a complaint ${reason}`, () => errors().some((line) => reason.test(`${line.reason}`)), DEADLINE_MS);
  };

  it("are reloaded once both are replaced; the metric has the expiry", async () => {
    install(10);
    const opened = await open();
    const taken: string[] = [];
    opened.onRenewed(({ cert }) => taken.push(cert));
    expect(await metric("geolookup_tls_certificate_expiry_timestamp_seconds")).to.be.within(
      (Date.now() + 9.9 * DAY_MS) / 1000,
      (Date.now() + 10.1 * DAY_MS) / 1000,
    );
    const renewed = install(20);
    await waitFor("the renewal", () => taken.length > 0, DEADLINE_MS);
    expect(taken).to.deep.equal([renewed]);
    expect(opened.current().cert).to.equal(renewed);
    expect(await metric("geolookup_tls_certificate_expiry_timestamp_seconds")).to.be.above(
      (Date.now() + 19 * DAY_MS) / 1000,
    );
  });

  it("are ignored while they don't match, are truncated or missing", async () => {
    const old = install(10);
    const opened = await open();
    const next = authority.issue({ days: 20 });
    put(paths.certFile, next.certFile);
    await complaint(/the key doesn't match/);
    writeFileSync(paths.certFile, readFileSync(next.certFile).subarray(0, 200));
    await complaint(/complete PEM certificate/);
    renameSync(paths.certFile, `${paths.certFile}.away`);
    await complaint(/ENOENT/);
    expect(opened.current().cert).to.equal(old);
    expect(await metric("geolookup_tls_certificate_refused")).to.equal(1);
    expect(errors()[0]?.msg).to.match(/the previous ones stay in use/);
    put(paths.keyFile, next.keyFile);
    put(paths.certFile, next.certFile);
    await waitFor("the renewal", () => opened.current().cert !== old, DEADLINE_MS);
    expect(await metric("geolookup_tls_certificate_refused")).to.equal(0);
    expect(errors(), "each said once").to.have.length(3);
  });

  it("are ignored if out of date", async () => {
    const old = install(10);
    laterMs = 2 * DAY_MS;
    const opened = await open();
    install(1);
    await complaint(/^the certificate expired at/);
    expect(opened.current().cert).to.equal(old);
  });

  it("are used at start even if out of date, with a log line", async () => {
    const old = install(1);
    laterMs = 2 * DAY_MS;
    const opened = await open();
    expect(opened.current().cert).to.equal(old);
    expect(errors().map(({ msg }) => msg)).to.deep.equal(["TLS certificate in use is out of date; replace it"]);
    const renewed = install(10);
    await waitFor("the renewal", () => opened.current().cert === renewed, DEADLINE_MS);
  });

  it("stop the start if they are invalid, and are named", async () => {
    const { certFile } = authority.issue();
    put(paths.certFile, certFile);
    const refusal = await open().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(StartError);
    expect(refusal).to.have.property("message").that.includes("TLS_CERT_FILE").and.includes(paths.keyFile);
  });
});
