import { isDeepStrictEqual } from "node:util";
import { readOrigins, readText } from "@geolookup/auth/keys/key-input.ts";
import type { CustomerView, KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { CustomerCall, IssueRequest, KeyCall } from "../keys/admin-client.ts";
import { type Declaration, type DeclaredCustomer, type DeclaredKey, NAME } from "./declaration.ts";

/** The calls that make a customer or key what it is declared to be, and what they change. */
export interface Step<Call> {
  action: "add" | "change" | "issue";
  /** Its name in the file. */
  name: string;
  keyId?: string;
  /** Each property that changes, before and after; null: not set. */
  changes: Record<string, [before: unknown, after: unknown]>;
  calls: Call[];
}

/** What to do, in this order. */
export interface Steps {
  customers: Step<CustomerCall>[];
  keys: Step<KeyCall>[];
  /** Keys to issue, by their names. */
  newKeys: Step<never>[];
}

/**
 * Compares what a file declares with what there is.
 * @param customers those that exist.
 * @param keys those with the metadata `apply`, in the order of issue.
 * @param wrong called with what can't be changed, by place in the file.
 */
export function differences(
  declared: Declaration,
  customers: readonly CustomerView[],
  keys: readonly KeyView[],
  wrong: (place: string, message: string) => void,
): Steps {
  const steps: Steps = { customers: [], keys: [], newKeys: [] };
  const customerById = new Map(customers.map((customer) => [customer.id, customer]));
  for (const [id, wanted] of Object.entries(declared.customers))
    steps.customers.push(...customerSteps(id, wanted, customerById.get(id)));
  const current = currentKeys(keys);
  for (const [name, wanted] of Object.entries(declared.keys)) {
    const key = current.get(name);
    if (key) steps.keys.push(...keySteps(name, wanted, key, customerById.get(key.customer ?? ""), wrong));
    else steps.newKeys.push({ action: "issue", name, changes: shown({}, propertiesOf(name, wanted)), calls: [] });
  }
  return steps;
}

/** The keys that names stand for: the last ones that weren't revoked or replaced. */
function currentKeys(keys: readonly KeyView[]): Map<string, KeyView> {
  const live = keys.filter(({ status, rotatedTo }) => status !== "revoked" && rotatedTo === undefined);
  return new Map(live.map((key) => [key.metadata?.[NAME] ?? "", key]));
}

/** The request that issues a declared key. */
export function issueRequestOf(name: string, wanted: DeclaredKey): IssueRequest {
  const { kind, plan = "", label, origins, forward, expires, customer } = wanted;
  const request = { kind, plan, label, origins, expiresAt: expires, customer, metadata: metadataOf(name, wanted) };
  return { ...request, ...(forward && { mayForward: true }) };
}

function customerSteps(id: string, wanted: DeclaredCustomer, found: CustomerView | undefined): Step<CustomerCall>[] {
  const { plan, monthlyRequests, enabled } = wanted;
  const name = normal(readText("name", wanted.name), wanted.name);
  const after = { name, plan, monthlyRequests: monthlyRequests ?? null, enabled };
  const before = found && {
    ...{ name: found.name, plan: found.plan, monthlyRequests: found.monthlyRequests ?? null },
    enabled: found.status !== "disabled",
  };
  const changes = shown(before ?? {}, after);
  const own = monthlyRequests === undefined ? {} : { monthlyRequests };
  const calls: CustomerCall[] = [];
  if (before === undefined) calls.push({ method: "AddCustomer", request: { id, name, plan, ...own } });
  else if (changes.name || changes.plan || changes.monthlyRequests) {
    const quota = monthlyRequests === undefined ? { hasPlanQuota: true } : own;
    calls.push({ method: "ChangeCustomer", request: { id, name, plan, ...quota } });
  }
  if (!enabled && (before?.enabled ?? true)) calls.push({ method: "DisableCustomer", request: { id } });
  if (enabled && before?.enabled === false) calls.push({ method: "EnableCustomer", request: { id } });
  return calls.length === 0 ? [] : [{ action: before ? "change" : "add", name: id, changes, calls }];
}

function keySteps(
  name: string,
  wanted: DeclaredKey,
  key: KeyView,
  customer: CustomerView | undefined,
  wrong: (place: string, message: string) => void,
): Step<KeyCall>[] {
  const { keyId } = key;
  if (wanted.kind !== key.kind) wrong(`keys.${name}.kind`, `can't be changed: ${keyId} is a ${key.kind} key`);
  if (wanted.forward !== (key.mayForward ?? false)) wrong(`keys.${name}.forward`, `can't be changed, of ${keyId}`);
  const after = propertiesOf(name, wanted);
  const before: ReturnType<typeof propertiesOf> = {
    ...{ plan: wanted.plan === undefined ? null : key.plan, label: key.label, origins: key.origins },
    ...{ expires: key.expiresAt ?? null, customer: key.customer ?? null, metadata: key.metadata ?? {} },
    // With its customer, a key isn't disabled itself.
    enabled: key.disabledAt === undefined || key.disabledAt === customer?.disabledAt,
  };
  const changes = shown(before, after);
  const calls: (KeyCall | false)[] = [
    changes.plan !== undefined && { method: "SetPlan", request: { keyId, plan: after.plan ?? "" } },
    changes.label !== undefined && { method: "SetLabel", request: { keyId, label: after.label } },
    changes.origins !== undefined && { method: "SetOrigins", request: { keyId, origins: after.origins } },
    changes.expires !== undefined && { method: "SetExpiry", request: { keyId, expiresAt: after.expires ?? "" } },
    changes.customer !== undefined && { method: "SetCustomer", request: { keyId, customer: after.customer ?? "" } },
    changes.metadata !== undefined && { method: "SetMetadata", request: { keyId, metadata: after.metadata } },
    changes.enabled !== undefined && { method: after.enabled ? "EnableKey" : "DisableKey", request: { keyId } },
  ];
  const made = calls.filter((call) => call !== false);
  return made.length === 0 ? [] : [{ action: "change", name, keyId, changes, calls: made }];
}

/** A declared key's properties that can change, as auth returns them. */
function propertiesOf(name: string, wanted: DeclaredKey) {
  return {
    plan: wanted.plan ?? null,
    label: normal(readText("label", wanted.label), wanted.label),
    origins: normal(readOrigins(wanted.origins), wanted.origins),
    expires: wanted.expires || null,
    customer: wanted.customer || null,
    metadata: metadataOf(name, wanted),
    enabled: wanted.enabled,
  };
}

function metadataOf(name: string, { metadata }: DeclaredKey): Record<string, string> {
  return { ...metadata, [NAME]: name };
}

/** A value in auth's normal form. What is invalid stays, and auth names the problem. */
function normal<Value>(reading: { value: Value } | { problem: string }, text: Value): Value {
  return "value" in reading ? reading.value : text;
}

/** The properties that differ. */
function shown(before: Record<string, unknown>, after: Record<string, unknown>): Step<never>["changes"] {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name] ?? null, after[name]));
  return Object.fromEntries(names.map((name) => [name, [before[name] ?? null, after[name]]]));
}
