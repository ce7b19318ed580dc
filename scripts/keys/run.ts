import {
  eventFromWire,
  type IssuedKeyView,
  issuedKeyFromWire,
  keyFromWire,
  plansCheckFromWire,
  plansFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import type { CommandContext, Printed } from "../command-line.ts";
import { readInput, refusePathInContainer } from "../read-input.ts";
import {
  callAuth,
  fetchUsage,
  type IssueRequest,
  issueKey,
  type KeyCall,
  type ListFilter,
  listKeys,
  makeCall,
  openAuth,
  withLastUsed,
} from "./admin-client.ts";
import { issuedText } from "./bulk/import.ts";
import { issueSaved } from "./bulk/issue-prepared.ts";
import type { KeyRow } from "./bulk/key-csv.ts";
import {
  historyTable,
  keyTable,
  keyText,
  newKeyText,
  plansCheckText,
  plansText,
  revokedText,
  usageTable,
} from "./output.ts";
import { findService } from "./service-address.ts";

type Environment = NodeJS.ProcessEnv;

/** Auth reads requests of 1 MB. */
const MAX_PLANS_BYTES = 2 ** 20;

export async function issue(environment: Environment, request: IssueRequest): Promise<Printed> {
  return issuedKey(await issueKey(findService("auth", environment), request));
}

/** Issues equal keys, which are in a file first. @param path "-": standard output. */
export async function issueToFile(
  { environment, print }: CommandContext,
  request: IssueRequest,
  count: number,
  path: string,
): Promise<Printed> {
  refusePathInContainer(path, environment);
  using service = openAuth(environment);
  const row = { place: "", request, isExpiryRelative: Boolean(request.expiresAt) };
  const keys = await issueSaved(service, Array<KeyRow>(count).fill(row), { path, print }, "the command");
  return { json: { file: path, keys }, text: issuedText(keys.length, path), isBesideKeys: path === "-" };
}

export async function rotate(environment: Environment, keyId: string, overlapSeconds: number): Promise<Printed> {
  return issuedKey(issuedKeyFromWire(await callAuth(environment, KEY_ADMIN.RotateKey, { keyId, overlapSeconds })));
}

function issuedKey({ secret, key }: IssuedKeyView): Printed {
  return { json: { ...key, key: secret }, text: newKeyText(secret, key) };
}

export async function list(environment: Environment, filter: ListFilter): Promise<Printed> {
  using service = openAuth(environment);
  const keys = await withLastUsed(environment, await listKeys(service, filter));
  return { json: keys, text: keyTable(keys, Object.values(filter).some(Boolean)) };
}

export async function show(environment: Environment, keyId: string): Promise<Printed> {
  const found = keyFromWire(await callAuth(environment, KEY_ADMIN.GetKey, { keyId }));
  const [key = found] = await withLastUsed(environment, [found]);
  return { json: key, text: keyText(key) };
}

export async function change(environment: Environment, call: KeyCall): Promise<Printed> {
  using service = openAuth(environment);
  const key = keyFromWire(await makeCall(service, call));
  return { json: key, text: keyText(key) };
}

export async function revoke(environment: Environment, keyId: string, reason: string): Promise<Printed> {
  const { version } = await callAuth(environment, KEY_ADMIN.GetKey, { keyId });
  const key = keyFromWire(await callAuth(environment, KEY_ADMIN.RevokeKey, { keyId, reason }));
  // Only a change raises the version.
  return { json: key, text: revokedText(key, key.version === version) };
}

export async function history(environment: Environment, keyId: string): Promise<Printed> {
  const response = await callAuth(environment, KEY_ADMIN.GetHistory, { keyId });
  const events = response.events.map(eventFromWire);
  return { json: events, text: historyTable(events) };
}

export async function showPlans(environment: Environment): Promise<Printed> {
  const plans = plansFromWire(await callAuth(environment, KEY_ADMIN.GetPlans, {}));
  return { json: plans, text: plansText(plans) };
}

/** @param file "-": standard input. */
export async function checkPlans(environment: Environment, file: string): Promise<Printed> {
  const text = String(await readInput(file, MAX_PLANS_BYTES, environment));
  const check = plansCheckFromWire(await callAuth(environment, KEY_ADMIN.CheckPlans, { text }));
  return { json: check, text: plansCheckText(check) };
}

export async function confirmPlans(environment: Environment, hash: string): Promise<Printed> {
  const plans = plansFromWire(await callAuth(environment, KEY_ADMIN.ConfirmPlans, { hash }));
  return { json: plans, text: plansText(plans) };
}

export async function showUsage(environment: Environment, named: string, month: string): Promise<Printed> {
  const address = findService("usage", environment);
  // The usage service reports 0 for any key; only auth knows whether it exists, and the ID of a full key.
  const { keyId = "" } = await callAuth(environment, KEY_ADMIN.GetKey, { keyId: named });
  const usage = await fetchUsage(address, keyId, month);
  return { json: usage, text: usageTable(usage) };
}
