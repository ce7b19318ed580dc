import type { DatabaseInfo } from "@geolookup/geo/databases/database.ts";
import type { DemoKeys } from "./demo-keys.ts";

/** An address with a known location, to try the service from this machine. */
const EXAMPLE_ADDRESS = "81.2.69.142";

/** The text printed at startup: commands to try, demo keys, attribution of the data. */
export function welcome(options: {
  url: string;
  docsUrl: string;
  /** The file with the console's admin token; null: there is no console. */
  adminFile: string | null;
  demoKeys: DemoKeys | null;
  /** Whether requests without a key are served. */
  servesKeyless: boolean;
  databases: readonly DatabaseInfo[];
}): string {
  const { url, docsUrl, adminFile, demoKeys, servesKeyless } = options;
  const endpoint = `${url}/v1/geo`;
  const asExample = `-H 'X-Forwarded-For: ${EXAMPLE_ADDRESS}'`;
  const lines = ["", `geolookup is running at ${url}. The documentation is at ${docsUrl}.`, ""];
  if (demoKeys) {
    lines.push(
      "Two demo keys. You won't be able to see them again:",
      `  publishable, plan free: ${demoKeys.publishable}`,
      `  secret, plan paid:      ${demoKeys.secret}`,
      "",
      "Try it (the address of this machine is a loopback address, which has no location):",
      ...(servesKeyless ? [`  curl '${endpoint}'`] : []),
      `  curl '${endpoint}?key=${demoKeys.secret}'`,
      `  curl ${asExample} '${endpoint}?key=${demoKeys.secret}'`,
    );
  } else {
    const issue = "make keys ARGS='issue --kind secret --plan paid'";
    if (servesKeyless)
      lines.push("Try it:", `  curl '${endpoint}'`, `  curl ${asExample} '${endpoint}'`, `Issue a key: ${issue}`);
    else lines.push(`Try it with a key (${issue} issues one):`, `  curl ${asExample} '${endpoint}?key=YOUR_KEY'`);
  }
  if (adminFile !== null)
    lines.push("", `The operator console is at ${docsUrl}/console; its admin token is in ${adminFile}.`);
  lines.push("", "Data:");
  for (const attribution of attributions(options.databases)) lines.push(`  ${attribution}`);
  return `${lines.join("\n")}\n\n`;
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
