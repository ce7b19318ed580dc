import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import type { CustomerView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { type CommandContext, printResult } from "../command-line.ts";
import { ANY_KEY, listCustomers, listKeys, makeCall, type OpenedService, openAuth } from "../keys/admin-client.ts";
import { keysFileOf } from "../keys/bulk/import.ts";
import { findIssued, isSameKey, issue, keysIn, prepare } from "../keys/bulk/issue-prepared.ts";
import { invalidFile, type KeyRow, keysCsv, type Problem } from "../keys/bulk/key-csv.ts";
import { readInput } from "../read-input.ts";
import { type Declaration, MAX_FILE_BYTES, NAME, parseDeclaration } from "./declaration.ts";
import { differences, issueRequestOf, type Step, type Steps } from "./differences.ts";

/**
 * Makes customers and keys what a file declares, and prints each change. If it is interrupted, the next call does the rest.
 * @param path "-": standard input.
 * @throws StartError, ServiceError, CommandLineError
 */
export async function runApply(
  context: CommandContext,
  path: string,
  { dryRun = false, json }: { dryRun?: boolean; json?: boolean },
): Promise<number> {
  const source = path === "-" ? "standard input" : path;
  const declared = parseDeclaration(await readInput(path, MAX_FILE_BYTES, context.environment), source);
  using service = openAuth(context.environment);
  const customers = await listCustomers(service, "");
  const keys = await listKeys(service, { ...ANY_KEY, metadata: [NAME] });
  const problems: Problem[] = [];
  const steps = differences(declared, customers, keys, (place, message) => problems.push({ place, message }));
  if (problems.length > 0) throw invalidFile(source, problems);
  await check(service, declared, customers, source);
  const file = keysFileOf(path);
  const { print } = context;
  if (!dryRun) await perform(service, declared, steps, { file, print, source });
  const result = { json: resultOf(steps, dryRun, file), text: textOf(steps, dryRun, file) };
  printResult(context, { ...result, isBesideKeys: path === "-" && !dryRun }, json);
  return 0;
}

/** Lets auth check everything that is declared, before anything is changed. @throws StartError naming what is invalid */
async function check(
  service: OpenedService,
  declared: Declaration,
  customers: readonly CustomerView[],
  source: string,
): Promise<void> {
  const existing = new Set(customers.map(({ id }) => id));
  const plans = Object.entries(declared.customers).map(([id, { plan }]): KeyRow => {
    return { place: `customers.${id}`, request: { kind: "secret", plan }, isExpiryRelative: false };
  });
  const keys = Object.entries(declared.keys).map(([name, wanted]): KeyRow => {
    const request = issueRequestOf(name, wanted);
    const added = existing.has(wanted.customer) ? undefined : declared.customers[wanted.customer];
    // A key that has expired stays as it is.
    if (wanted.expires !== "" && Date.parse(wanted.expires) <= Date.now()) request.expiresAt = "";
    const checked = added ? { ...request, customer: "", plan: request.plan || added.plan } : request;
    return { place: `keys.${name}`, request: checked, isExpiryRelative: false };
  });
  await prepare(service, [...plans, ...keys], source);
}

async function perform(
  service: OpenedService,
  declared: Declaration,
  steps: Steps,
  { file, print, source }: { file: string; print: (text: string) => void; source: string },
): Promise<void> {
  for (const { calls } of [...steps.customers, ...steps.keys]) for (const call of calls) await makeCall(service, call);
  if (steps.newKeys.length === 0) return;
  const rows = steps.newKeys.map(({ name }): KeyRow => {
    const wanted = declared.keys[name];
    if (!wanted) throw new Error(`${name} isn't declared`);
    return { place: `keys.${name}`, request: issueRequestOf(name, wanted), isExpiryRelative: false };
  });
  const saved = file === "-" ? [] : ((await keysIn(file)) ?? []);
  const issued = await findIssued(service, saved);
  const waiting = saved.filter((row) => !issued.has(row));
  const prepared = rows.map((row) => ({ ...row, prepared: waiting.find((each) => isSameKey(row, each))?.prepared }));
  const made = await prepare(
    service,
    prepared.filter((row) => !row.prepared),
    source,
  );
  const all = [...prepared.filter((row) => row.prepared), ...made];
  // The file keeps the keys of earlier runs.
  if (file === "-") print(keysCsv(all));
  else await replaceFile(file, keysCsv([...issued, ...all]));
  const views = await issue(service, all);
  for (const { keyId, metadata } of views) {
    const name = metadata?.[NAME] ?? "";
    const step = steps.newKeys.find((each) => each.name === name);
    if (step) step.keyId = keyId;
    if (declared.keys[name]?.enabled === false) await service.call(KEY_ADMIN.DisableKey, { keyId });
  }
}

function resultOf({ customers, keys, newKeys }: Steps, isDryRun: boolean, file: string) {
  const changes = [
    ...customers.map((step) => viewOf("customer", step)),
    ...[...keys, ...newKeys].map((step) => viewOf("key", step)),
  ];
  return { dryRun: isDryRun, changes, file: newKeys.length > 0 && !isDryRun ? file : null };
}

function viewOf(kind: "customer" | "key", { calls: _, changes, ...step }: Step<unknown>) {
  const entries = Object.entries(changes).map(([name, [before, after]]) => [name, { before, after }] as const);
  return { kind, ...step, changes: Object.fromEntries(entries) };
}

function textOf(steps: Steps, isDryRun: boolean, file: string): string {
  const { changes } = resultOf(steps, isDryRun, file);
  if (changes.length === 0) return "Everything is as declared. Nothing was changed.\n";
  const lines = changes.map(({ kind, action, name, keyId, changes }) => {
    const of = `${action} ${kind} ${name}${keyId === undefined ? "" : ` (${keyId})`}`;
    const properties = Object.entries(changes).map(([property, { before, after }]) =>
      action === "change"
        ? `${property}: ${JSON.stringify(before)} to ${JSON.stringify(after)}`
        : `${property}: ${JSON.stringify(after)}`,
    );
    return `${of}\n${properties.map((line) => `  ${line}\n`).join("")}`;
  });
  const end = isDryRun ? "This was a dry run: nothing was changed.\n" : "";
  const issued = steps.newKeys.length > 0 && !isDryRun && file !== "-";
  return `${lines.join("")}\n${issued ? `See ${file} for the new keys: they can't be retrieved again.\n` : end || "Done.\n"}`;
}
