import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { runHere } from "../../test/harness/command.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAM = join(REPOSITORY, "geolookup");

/** Every command that acts on a service, with arguments that it accepts. */
const COMMANDS = [
  "keys issue --kind secret --plan paid",
  ...["keys list", "keys show ID", "keys revoke ID", "keys set-plan ID free", "keys set-label ID text"],
  ...["keys set-origins ID https://a.example", "keys history ID", "keys plans", "keys plans check FILE"],
  ...[
    "keys rotate ID --overlap 24h",
    "keys expire ID 30d",
    "keys disable ID",
    "keys enable ID",
    "keys set-customer ID acme",
  ],
  ...["keys set-metadata ID team=web", "keys import FILE", "keys find -", "keys scan PATH"],
  ...["keys plans confirm HASH", "keys usage ID", "keys log --new", "usage ID", "usage verify"],
  ...["customers add acme --plan paid", "customers list", "customers show acme", "customers keys acme"],
  ...[
    "customers rename acme Acme",
    "customers set-plan acme free",
    "customers set-quota acme 5",
    "customers usage acme",
  ],
  ...["customers disable acme", "customers enable acme", "operators add alice --role viewer", "operators list"],
  ...["operators set-role alice admin", "operators replace-token alice", "operators remove alice", "audit"],
  ...["apply FILE", "upgrade --finish"],
  ...["data fetch", "data rollback", "data versions", "data report", "data check-geofeed"],
  ...["backup", "restore FOLDER", "rotate signing-key", "doctor", "doctor ip", "smoke", "nats-setup"],
  "kubernetes secrets",
].map((line) => line.split(" "));

describe("geolookup", () => {
  const refused: [line: string[], message: RegExp][] = [
    [["lst"], /^geolookup: unknown command 'lst'\nFor help: geolookup --help\n$/],
    [["keys", "lst"], /^keys: unknown command 'lst'\n\(Did you mean list\?\)\nFor help: geolookup keys --help\n$/],
    [["keys", "list", "--label", "free"], /unknown option '--label'/],
    [["keys", "list", "--kind", "public"], /'public' is invalid. Allowed choices are publishable, secret/],
    [["keys", "set-label", "key_1", "-d"], /unknown option '-d'/],
    [["keys", "revoke", "key_1", "--reason", "--json"], /'--json' is invalid. It needs a value/],
    [["keys", "revoke", "key_1", "--reason", "a", "--reason=b"], /It was given before/],
    [["keys", "revoke", "key_1", "--reson", "x"], /unknown option '--reson'\n\(Did you mean --reason\?\)/],
    [["keys", "issue", "--plan", "free"], /required option '--kind <kind>' not specified/],
    [["keys", "issue", "--kind", "publishable", "--plan", "free", "--forward"], /--forward needs --kind secret/],
    [["keys", "issue", "--kind", "secret"], /--plan is needed, or --customer/],
    [["keys", "issue", "--kind", "secret", "--plan", "free", "--count", "2"], /--count needs --csv/],
    [
      ["keys", "issue", "--kind", "secret", "--plan", "free", "--count", "0"],
      /'0' is invalid. It must be at most 100000/,
    ],
    [["keys", "issue", "--kind", "secret", "--plan", "free", "--csv", "-", "--json"], /both write to standard output/],
    [
      ["keys", "issue", "--kind", "secret", "--plan", "free", "--expires", "soon"],
      /It must be a date such as 2027-01-01/,
    ],
    [["keys", "issue", "--kind", "secret", "--plan", "free", "--metadata", "team"], /It must be name=value/],
    [["keys", "list", "--status", "gone"], /Allowed choices are active, disabled, expired, rotated, revoked/],
    [["keys", "list", "--search", "a", "--metadata", "a=b"], /cannot be used with/],
    [["keys", "rotate", "key_1"], /required option '--overlap <duration>' not specified/],
    [["keys", "rotate", "key_1", "--overlap", "24"], /It must be a duration such as 24h, or 0/],
    [["keys", "expire", "key_1", "2027-02-29"], /It must be a date such as 2027-01-01/],
    [["keys", "find", "geo_sk_"], /Allowed choices are -/],
    [["keys", "import", "-", "--json"], /standard output has the keys/],
    [["keys", "scan", "-", "--revoke"], /--revoke needs --yes/],
    [["keys", "show"], /missing required argument 'id'/],
    [["keys", "show", ""], /It is empty/],
    [["keys", "log"], /required option '--new' not specified/],
    [["usage", "key_1", "--month", "2026-13"], /--month .* It must be YYYY-MM/],
    [["apply", "-", "--json"], /--json needs --dry-run/],
    [["customers", "add", "acme"], /required option '--plan <plan>' not specified/],
    [["customers", "set-quota", "acme", "0"], /It must be a number of requests, or plan/],
    [["customers", "usage", "acme", "--month", "now"], /--month .* It must be YYYY-MM/],
    [["operators", "add", "alice", "--role", "root"], /Allowed choices are viewer, operator, admin/],
    [["operators", "set-role", "alice", "root"], /Allowed choices are viewer, operator, admin/],
    [["audit", "--since", "yesterday"], /It must be a date such as 2027-01-01 \(UTC\), or how long ago/],
    [["audit", "--json", "--ndjson"], /cannot be used with/],
    [["data", "report", "--json", "--html=-"], /both write to standard output/],
    [["data", "report", "--compare", "a.mmdb,"], /--compare needs the path/],
    [["data", "fetch", "--update", "--force"], /cannot be used with/],
    [["restore"], /missing required argument 'folder'/],
    [["rotate", "signing-key", "--drop", "../x"], /--drop needs the ID of an entry/],
    [["doctor", "ip"], /name the address/],
    [["smoke", "ftp://x"], /isn't an http:\/\/ or https:\/\/ address/],
    [["up"], /run it where geolookup is installed/],
  ];
  for (const [line, message] of refused)
    it(`refuses ${line.join(" ")} with status 2`, async () => {
      const { status, stdout, stderr } = await runHere(line, { DATA_DIR: tempFolder() });
      expect([status, stdout], stderr).to.deep.equal([2, ""]);
      expect(stderr)
        .to.match(message)
        .and.to.match(/\nFor help: geolookup .*--help\n$/);
    });

  for (const line of COMMANDS)
    it(`${line.join(" ")}: prints its help, refuses unknown options, and changes nothing then`, async () => {
      const dataDir = tempFolder();
      const help = await runHere([...line, "--help"], { DATA_DIR: dataDir });
      expect([help.status, help.stderr]).to.deep.equal([0, ""]);
      expect(help.stdout).to.match(/^Usage: geolookup /);
      const refusal = await runHere([...line, "--no-such-option"], { DATA_DIR: dataDir });
      expect([refusal.status, refusal.stdout]).to.deep.equal([2, ""]);
      expect(refusal.stderr).to.include("unknown option '--no-such-option'");
      expect(readdirSync(dataDir)).to.deep.equal([]);
    });

  for (const [line, ...texts] of [
    ["rotate secret", "redis-password", "nats-passwords"],
    ["rotate certificates", "--ca"],
    ["kubernetes up", "--overlay <folder>"],
    ["kubernetes down", "--delete-data"],
    ["up", "--ha"],
  ] as const)
    it(`explains ${line}, which a shell script runs`, async () => {
      const { status, stdout } = await runHere([...line.split(" "), "--help"], {});
      expect(status).to.equal(0);
      for (const text of texts) expect(stdout).to.include(text);
    });

  it("shows the commands of a group without one, with status 2", async () => {
    for (const group of ["keys", "data", "rotate", "kubernetes"]) {
      const { status, stderr } = await runHere([group], {});
      expect(status).to.equal(2);
      expect(stderr).to.match(new RegExp(`^Usage: geolookup ${group} `));
    }
  });

  it("passes arguments on as they were typed, and returns the command's exit status", () => {
    const folder = tempFolder();
    const feed = join(folder, `it's "$HOME" & co.csv`);
    writeFileSync(feed, "8.8.8.0/24,GB,,London,\nno prefix\n");
    const { status, stdout } = spawnSync(PROGRAM, ["data", "check-geofeed", feed], { encoding: "utf8" });
    expect(stdout).to.include(`${feed}: 1 prefix, 1 line left out`);
    expect(status).to.equal(1);
    expect(spawnSync(PROGRAM, ["data", "check-geofeed", feed, "more"]).status).to.equal(2);
  });

  it("checks an OpenID Connect issuer with this environment's settings, wherever the service runs", () => {
    const settings = {
      OIDC_ISSUER: "http://127.0.0.1:1",
      OIDC_CLIENT_ID: "geolookup",
      DOCS_URL: "https://docs.example.com",
    };
    const env = { ...process.env, ...settings, KUBERNETES: "on", KUBECONFIG: join(tempFolder(), "none") };
    const { status, stdout } = spawnSync(PROGRAM, ["operators", "check-oidc"], { encoding: "utf8", env });
    expect(stdout).to.match(/^FAIL +http:\/\/127\.0\.0\.1:1\/\.well-known\/openid-configuration can't be reached/);
    expect(status).to.equal(1);
  });

  it("completes commands and options in bash", () => {
    const complete = (...words: string[]) => {
      const script = `eval "$(${PROGRAM} completion)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _geolookup; echo "\${COMPREPLY[*]}"`;
      return execFileSync("bash", ["-c", script, "bash", "geolookup", ...words], { encoding: "utf8" }).trim();
    };
    expect(complete("ke")).to.equal("keys");
    expect(complete("keys", "set-")).to.equal("set-plan set-origins set-label set-customer set-metadata");
    expect(complete("restore", "--f")).to.equal("--force");
    expect(complete("data", "report", "--json", "--ht")).to.equal("--html");
  });
});
