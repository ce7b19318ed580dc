import type { DatabaseInfo } from "@geolookup/geo/databases/database.ts";
import type { DemoKeys } from "./demo-keys.ts";

/** An address with a known place, for trying the service out from this machine. */
const EXAMPLE_ADDRESS = "81.2.69.142";

/** What a person who starts the service reads: lines to try, keys shown once, attribution of the data. */
export function welcome(options: {
  url: string;
  docsUrl: string;
  /** Where the console's admin token is; null: there is no console. */
  adminFile: string | null;
  demoKeys: DemoKeys | null;
  /** Whether requests without a key are answered. */
  servesKeyless: boolean;
  databases: readonly DatabaseInfo[];
}): string {
  const { url, docsUrl, adminFile, demoKeys, servesKeyless } = options;
  const endpoint = `${url}/v1/geo`;
  const asExample = `-H 'X-Forwarded-For: ${EXAMPLE_ADDRESS}'`;
  const lines = ["", `geolookup answers on ${url}. Errors are explained on ${docsUrl}.`, ""];
  if (demoKeys) {
    lines.push(
      "Two demo keys, shown this once and stored nowhere:",
      `  publishable, plan free: ${demoKeys.publishable}`,
      `  secret, plan paid:      ${demoKeys.secret}`,
      "",
      "Try (from this machine your own address is a loopback one, which has no place):",
      ...(servesKeyless ? [`  curl '${endpoint}'`] : []),
      `  curl '${endpoint}?key=${demoKeys.secret}'`,
      `  curl ${asExample} '${endpoint}?key=${demoKeys.secret}'`,
    );
  } else {
    const issue = "make keys ARGS='issue --kind secret --plan paid'";
    if (servesKeyless)
      lines.push("Try:", `  curl '${endpoint}'`, `  curl ${asExample} '${endpoint}'`, `Issue a key: ${issue}`);
    else
      lines.push(`Try, with a key of yours (${issue} issues one):`, `  curl ${asExample} '${endpoint}?key=YOUR_KEY'`);
  }
  if (adminFile !== null)
    lines.push("", `The operator console is at ${docsUrl}/console; its admin token is in ${adminFile}.`);
  lines.push("", "Data:");
  for (const attribution of attributions(options.databases)) lines.push(`  ${attribution}`);
  return `${lines.join("\n")}\n\n`;
}

/** Each attribution once, with the databases it is for. */
function attributions(databases: readonly DatabaseInfo[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, attribution, attributionUrl } of databases) {
    const credit = attribution.includes(attributionUrl) ? attribution : `${attribution} (${attributionUrl})`;
    const text = attribution ? credit : "no attribution known; see the license of your data";
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  return [...names].map(([text, files]) => `${files.join(", ")}: ${text}`);
}
