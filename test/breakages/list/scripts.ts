import type { Breakage } from "../breakage.ts";

/** What operators run. */
export const SCRIPT_BREAKAGES: readonly Breakage[] = [
  {
    name: "restore publishes foreign subjects",
    in: "scripts/restore",
    find: "if (!part.isOwn(message.subject))",
    replace: "if (message.subject === undefined)",
    tests: ["scripts/restore/hostile-archive.test.ts"],
  },
  {
    name: "backups aren't authenticated",
    in: "scripts/restore",
    find: "if (key) await authenticateSums(",
    replace: "if (key && folder === '') await authenticateSums(",
    tests: ["scripts/restore/hostile-archive.test.ts"],
  },
  {
    name: "a backup's files aren't checked",
    in: "scripts/restore",
    find: "return found.sha256 === sum ? null :",
    replace: "return found.sha256 !== '' ? null :",
    tests: ["scripts/restore/broken-archive.test.ts", "scripts/restore/restore.test.ts"],
  },
  {
    name: "secrets are made readable by everyone",
    in: "scripts/compose",
    find: 'umask 077 fail() { echo "secrets: ',
    replace: 'umask 022\nfail() {\n  echo "secrets: ',
    tests: ["scripts/operator-commands.test.ts"],
  },
  {
    name: "a Compose cluster is only found by its running containers",
    in: "scripts",
    find: "if ! containers=$(docker ps --all --quiet",
    replace: "if ! containers=$(docker ps --quiet",
    tests: ["scripts/compose/compose.test.ts"],
  },
  {
    name: "settings of make up are lost",
    in: "scripts/compose",
    find: "keep_settings up || exit 1",
    replace: ":",
    tests: ["scripts/compose/compose.test.ts"],
  },
  {
    name: "rotating a signing key drops the old one",
    in: "services/auth/src",
    find: "return ringText({ active, byId });",
    replace: "return ringText({ active, byId: new Map([[id, active]]) });",
    tests: ["services/auth/src/**/ring-changes.test.ts"],
  },
  {
    name: "a changed geo data download is installed",
    in: "scripts/geo-data",
    find: "if (hash !== sha256)",
    replace: 'if (hash === "")',
    tests: ["scripts/geo-data/**/maxmind-refused.test.ts"],
  },
  {
    name: "a download is redirected to a private address",
    in: "scripts/geo-data",
    find: "if (!addresses.every(",
    replace: "if (addresses.length > 99 && !addresses.every(",
    tests: ["scripts/geo-data/download/guarded-fetch.test.ts"],
  },
  {
    name: "usage-verify misses differences",
    in: "scripts/usage-verify",
    find: "said >= from && said <= to",
    replace: "said >= 0",
    tests: ["scripts/usage-verify/**/*.test.ts"],
  },
  {
    name: "usage-verify compares the log of make start with a running cluster",
    in: "scripts/usage-verify/run.ts",
    find: "if (cluster) throw new StartError(clusterLogAdvice(cluster));",
    replace: "",
    tests: ["scripts/operator-commands.test.ts"],
  },
];
