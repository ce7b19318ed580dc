import { copyFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type CertificateFiles, createAuthority } from "../../../../../test/harness/certificates.ts";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { StartError } from "../lifecycle/start-error.ts";
import { DEFAULT_IDENTITY_TEMPLATE } from "./identities.ts";
import { openInternalTls, readInternalTls } from "./internal-tls.ts";

const DAY_SECONDS = 86_400;
const DEADLINE_MS = 15_000;
const EXPIRY = "geolookup_internal_tls_certificate_expiry_timestamp_seconds";
const REFUSED = "geolookup_internal_tls_files_refused";
const LOADED = "geolookup_internal_tls_files_loaded_timestamp_seconds";

describe("internal TLS files", () => {
  const authority = createAuthority();
  const folder = tempFolder();
  const settings = {
    caFile: join(folder, "ca.pem"),
    certFile: join(folder, "tls.pem"),
    keyFile: join(folder, "tls.key"),
    identityTemplate: DEFAULT_IDENTITY_TEMPLATE,
  };
  const issue = (days = 10, service = "geo") => authority.issue({ names: [`DNS:${service}.geolookup.internal`], days });
  const put = (path: string, source: string) => {
    copyFileSync(source, `${path}.new`);
    renameSync(`${path}.new`, path);
  };
  const install = ({ certFile, keyFile }: CertificateFiles) => {
    put(settings.caFile, authority.caFile);
    put(settings.keyFile, keyFile);
    put(settings.certFile, certFile);
  };

  it("are reloaded together, refused while they don't match or are another service's, and report when they expire", async () => {
    install(issue());
    const lines: { msg: string; reason?: string }[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const registry = new Registry();
    await using tls = await openInternalTls(settings, "geo", { clock: () => Date.now(), log, registry });
    if (!tls) throw new Error("no TLS");
    const values = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [];
    const expiryDays = async (file: string) => {
      const value = (await values(EXPIRY)).find(({ labels }) => labels.file === file)?.value ?? 0;
      return (value - Date.now() / 1_000) / DAY_SECONDS;
    };
    const isRefused = async () => (await values(REFUSED))[0]?.value === 1;
    const complaint = (reason: RegExp) =>
      waitFor(`a complaint ${reason}`, () => lines.some((line) => reason.test(line.reason ?? "")), DEADLINE_MS);
    expect(await expiryDays("certificate")).to.be.within(9.9, 10);
    expect(await expiryDays("ca")).to.be.within(9.9, 10);
    let renewals = 0;
    tls.onRenewed(() => {
      renewals += 1;
    });
    const first = tls.current();
    const loadedSeconds = async () => (await values(LOADED))[0]?.value ?? 0;
    const firstLoadedSeconds = await loadedSeconds();

    const next = issue(20);
    put(settings.certFile, next.certFile);
    await complaint(/the key doesn't match/);
    expect(await isRefused()).to.equal(true);
    install(issue(10, "gateway"));
    await complaint(/isn't geo's: its subjectAltName must have DNS:geo\.geolookup\.internal/);
    install(issue(-1));
    await complaint(/expired/);
    expect(tls.current()).to.equal(first);
    expect(renewals).to.equal(0);
    expect(await loadedSeconds()).to.equal(firstLoadedSeconds);

    install(next);
    await waitFor("the renewal", () => renewals > 0, DEADLINE_MS);
    expect(await expiryDays("certificate")).to.be.within(19.9, 20);
    expect(await loadedSeconds()).to.be.above(firstLoadedSeconds);
    expect(await isRefused()).to.equal(false);
  });

  const broken: [what: string, file: "caFile" | "certFile", content: string, complaint: RegExp][] = [
    ["an empty CA file", "caFile", "", /CA file doesn't have a complete PEM certificate/],
    ["a CA file with half a certificate", "caFile", authority.ca.slice(0, 300), /CA file doesn't have a complete/],
    ["a certificate file without a certificate", "certFile", "none", /certificate file doesn't have a complete PEM/],
  ];
  for (const [what, file, content, complaint] of broken)
    it(`prevent startup: ${what}`, () => {
      install(issue());
      writeFileSync(settings[file], content);
      expect(() => readInternalTls(settings, "geo")).to.throw(StartError, complaint);
    });

  it("prevent startup: a CA file with a certificate that isn't a CA certificate", () => {
    const leaf = issue();
    install(leaf);
    put(settings.caFile, leaf.certFile);
    expect(() => readInternalTls(settings, "geo")).to.throw(
      StartError,
      /INTERNAL_TLS_CA_FILE .*isn't a CA certificate/,
    );
  });
});
