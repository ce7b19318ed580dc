import type { DatabaseInfo } from "@geolookup/geo/databases/database.ts";
import { canonicalAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { curlFor, quoteForShell } from "@geolookup/shared/runtime/shell.ts";
import type { DemoKeys } from "./demo-keys.ts";

/** An address with a known location, to try the service from this machine. */
const EXAMPLE_ADDRESS = "81.2.69.142";

/** The text printed at startup: commands to try, demo keys, attribution of the data. */
export function welcome(options: {
  url: string;
  docsUrl: string;
  /** The file with the console's admin token; null: there is no console. */
  adminFile: string | null;
  /** As the operator set it. */
  dataDir: string;
  trustProxy: string;
  devAddress: string | undefined;
  demoKeys: DemoKeys | null;
  /** The names of the plans. */
  plans: readonly string[];
  /** Whether requests without a key are served. */
  servesKeyless: boolean;
  databases: readonly DatabaseInfo[];
}): string {
  const { url, docsUrl, adminFile, dataDir, trustProxy, demoKeys, plans, servesKeyless } = options;
  const endpoint = `${url}/v1/geo`;
  const curl = curlFor(url);
  const isTrusted = trustsThisMachine(trustProxy, url);
  const asExample = isTrusted ? `-H 'X-Forwarded-For: ${EXAMPLE_ADDRESS}' ` : "";
  const lines = ["", `geolookup is running at ${url}. The documentation is at ${docsUrl}.`, ...reachDocs(docsUrl), ""];
  if (options.devAddress !== undefined)
    lines.push(`DEV_ADDRESS: callers on this machine get the location of ${options.devAddress}.`, "");
  if (demoKeys) {
    lines.push(
      "Two demo keys. You won't be able to see them again:",
      `  publishable, plan free: ${demoKeys.publishable}`,
      `  secret, plan paid:      ${demoKeys.secret}`,
      "",
      options.devAddress === undefined
        ? "Try it (the address of this machine is a loopback address, which has no location; to see one, set DEV_ADDRESS):"
        : "Try it:",
      ...(servesKeyless ? [`  ${curl} '${endpoint}'`] : []),
      `  ${curl} '${endpoint}?key=${demoKeys.secret}'`,
      ...(isTrusted ? [`  ${curl} ${asExample}'${endpoint}?key=${demoKeys.secret}'`] : []),
    );
  } else {
    if (servesKeyless)
      lines.push("Try it:", `  ${curl} '${endpoint}'`, ...(isTrusted ? [`  ${curl} ${asExample}'${endpoint}'`] : []));
    else lines.push("Try it with a key:", `  ${curl} ${asExample}'${endpoint}?key=YOUR_KEY'`);
    const plan = plans.includes("paid") ? "paid" : plans[0];
    lines.push(
      "Issue a key:",
      `  ${program(dataDir)} keys issue --kind secret --plan ${plan}${isTrusted ? "" : " --forward"}`,
    );
  }
  if (!isTrusted)
    lines.push(
      `TRUST_PROXY is ${trustProxy}, so the service ignores X-Forwarded-For from this machine. To see what the databases have`,
      "for an address:",
      `  ${program(dataDir)} doctor ip ${EXAMPLE_ADDRESS}`,
    );
  if (adminFile !== null)
    lines.push("", `The operator console is at ${docsUrl}/console; its admin token is in ${adminFile}.`);
  lines.push("", "Data:");
  for (const attribution of attributions(options.databases)) lines.push(`  ${attribution}`);
  return `${lines.join("\n")}\n\n`;
}

/** Commands find the default folder by themselves. */
function program(dataDir: string): string {
  return dataDir === "data" ? "./geolookup" : `DATA_DIR=${quoteForShell(dataDir)} ./geolookup`;
}

/** Not every system and client resolves names under localhost. */
function reachDocs(docsUrl: string): string[] {
  const { hostname, port, protocol } = new URL(docsUrl);
  if (!hostname.endsWith(".localhost")) return [];
  const number = port || (protocol === "https:" ? "443" : "80");
  return [
    `If ${hostname} can't be found, add the line "127.0.0.1 ${hostname}" to /etc/hosts. To open it from another machine, run`,
    `there: ssh -L ${number}:127.0.0.1:${number} THIS_MACHINE`,
  ];
}

/** Whether X-Forwarded-For counts in a request that curl sends to `url` from here. */
function trustsThisMachine(trustProxy: string, url: string): boolean {
  const { hostname } = new URL(url);
  const peer = canonicalAddress(hostname.replace(/^\[|\]$/g, "")) ?? "127.0.0.1";
  return parseTrustProxy(trustProxy)(peer);
}

/** Each attribution once, with its databases. */
function attributions(databases: readonly DatabaseInfo[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, attribution, attributionUrl } of databases) {
    const credit = attribution.includes(attributionUrl) ? attribution : `${attribution} (${attributionUrl})`;
    const text = attribution ? credit : "no attribution known; see the license of your data";
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  return [...names].map(([text, files]) => `${files.join(", ")}: ${text}`);
}
