import { startNewKeyLog } from "@geolookup/auth/keys/mark/new-key-log.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { periodAt } from "@geolookup/shared/domain/period.ts";
import type { Key__Output as WireKey } from "@geolookup/shared/generated/geolookup/auth/v1/Key.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import {
  eventFromWire,
  type IssuedKeyView,
  issuedKeyFromWire,
  keyFromWire,
  plansCheckFromWire,
  plansFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { Method } from "@geolookup/shared/runtime/grpc/client.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { type CommandContext, printResult } from "../command-line.ts";
import { readInput, refusePathInContainer } from "../read-input.ts";
import { exportAdvice, findClusterIn } from "../running-services.ts";
import {
  callService,
  fetchUsage,
  type IssueRequest,
  issueKey,
  type ListFilter,
  listKeys,
  openService,
  withLastUsed,
} from "./admin-client.ts";
import { issuedText } from "./bulk/import.ts";
import { issueSaved, type KeysFile } from "./bulk/issue-prepared.ts";
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
import { findService, type ServiceAddress } from "./service-address.ts";

/** Auth reads requests of 1 MB. */
const MAX_PLANS_BYTES = 2 ** 20;

/** What the operator asked for. */
export type KeyCommand =
  | { name: "issue"; request: IssueRequest; count: number; csv: string | undefined }
  | { name: "list"; filter: ListFilter }
  | { name: "show"; keyId: string }
  | { name: "history"; keyId: string }
  | { name: "revoke"; keyId: string; reason: string }
  | { name: "rotate"; keyId: string; overlapSeconds: number }
  | ({ name: "change" } & Change)
  | { name: "plans"; action: "show" }
  | { name: "plans"; action: "check"; file: string }
  | { name: "plans"; action: "confirm"; hash: string }
  | { name: "usage"; keyId: string; month: string | undefined }
  | { name: "log"; force: boolean };

/** A change of a key: a method that returns the key, and its request. */
export type Change = {
  [Name in ChangeMethod]: { method: Name; request: RequestOf<(typeof KEY_ADMIN)[Name]> };
}[ChangeMethod];

type ChangeMethod =
  | "SetPlan"
  | "SetOrigins"
  | "SetLabel"
  | "SetExpiry"
  | "SetCustomer"
  | "SetMetadata"
  | "DisableKey"
  | "EnableKey";
type RequestOf<Called> = Called extends Method<infer Request, WireKey> ? Request : never;

/** What a command prints, for programs and for people. */
interface Printed {
  json: unknown;
  text: string;
}

/** Runs one key command. @throws StartError, ServiceError, CommandLineError */
export async function runKeyCommand(
  context: CommandContext,
  command: KeyCommand,
  asJson: boolean | undefined,
  clock: Clock,
): Promise<number> {
  const printed =
    command.name === "log"
      ? await startNewLog(context.environment, command.force)
      : await perform(command, context, clock);
  // Standard output has the keys.
  if (command.name === "issue" && command.csv === "-") context.printError(printed.text);
  else printResult(context, printed, asJson);
  return 0;
}

async function perform(
  command: Exclude<KeyCommand, { name: "log" }>,
  { environment, print }: CommandContext,
  clock: Clock,
): Promise<Printed> {
  const address = findService("auth", environment);
  switch (command.name) {
    case "issue": {
      const { request, count, csv } = command;
      if (csv !== undefined) {
        refusePathInContainer(csv, environment);
        return await issueToFile(address, request, count, { path: csv, print });
      }
      return issuedKey(await issueKey(address, request));
    }
    case "rotate": {
      const { name: _, ...request } = command;
      return issuedKey(issuedKeyFromWire(await callService(address, KEY_ADMIN.RotateKey, request)));
    }
    case "list": {
      using service = openService(address);
      const keys = await withLastUsed(environment, await listKeys(service, command.filter));
      return { json: keys, text: keyTable(keys, Object.values(command.filter).some(Boolean)) };
    }
    case "show": {
      const found = keyFromWire(await callService(address, KEY_ADMIN.GetKey, { keyId: command.keyId }));
      const [key = found] = await withLastUsed(environment, [found]);
      return { json: key, text: keyText(key) };
    }
    case "revoke": {
      const { keyId, reason } = command;
      const { version } = await callService(address, KEY_ADMIN.GetKey, { keyId });
      const key = keyFromWire(await callService(address, KEY_ADMIN.RevokeKey, { keyId, reason }));
      // Only a change raises the version.
      return { json: key, text: revokedText(key, key.version === version) };
    }
    case "history": {
      const response = await callService(address, KEY_ADMIN.GetHistory, { keyId: command.keyId });
      const events = response.events.map(eventFromWire);
      return { json: events, text: historyTable(events) };
    }
    case "plans":
      return performOnPlans(address, command, environment);
    case "usage": {
      const usageAddress = findService("usage", environment);
      // The usage service reports 0 for any key; only auth knows whether it exists, and the ID of a full key.
      const { keyId = "" } = await callService(address, KEY_ADMIN.GetKey, { keyId: command.keyId });
      const usage = await fetchUsage(usageAddress, keyId, command.month ?? periodAt(clock()).month);
      return { json: usage, text: usageTable(usage) };
    }
    case "change": {
      const method = KEY_ADMIN[command.method] as Method<object, WireKey>;
      const key = keyFromWire(await callService(address, method, command.request));
      return { json: key, text: keyText(key) };
    }
  }
}

function issuedKey({ secret, key }: IssuedKeyView): Printed {
  return { json: { ...key, key: secret }, text: newKeyText(secret, key) };
}

/** Issues equal keys, which are in a file first. */
async function issueToFile(address: ServiceAddress, request: IssueRequest, count: number, file: KeysFile) {
  using service = openService(address);
  const row = { place: "", request, isExpiryRelative: Boolean(request.expiresAt) };
  const keys = await issueSaved(service, Array<KeyRow>(count).fill(row), file, "the command");
  return { json: { file: file.path, keys }, text: issuedText(keys.length, file.path) };
}

/** Starts a new key log in NATS if NATS_URL is set, otherwise in DATA_DIR. @throws StartError */
async function startNewLog(environment: NodeJS.ProcessEnv, force: boolean): Promise<Printed> {
  if (environment.NATS_URL) {
    const { startNewKeyStream } = await import("./new-key-stream.ts");
    const discarded = await startNewKeyStream(environment, force);
    return { json: { discarded }, text: "The cluster has a new, empty key log. All keys issued before are invalid\n" };
  }
  const { DATA_DIR: dataDir } = readEnvironment(z.object({ DATA_DIR: z.string().default("data") }), environment);
  const cluster = findClusterIn(dataDir, environment);
  if (cluster) throw new StartError(exportAdvice(cluster));
  const saved = await startNewKeyLog(dataDir);
  const previous = saved === null ? "" : `The previous key log is in ${saved}. `;
  return {
    json: { dataDir, saved },
    text: `${previous}${dataDir} has a new, empty key log from the next start on. All keys issued before are invalid\n`,
  };
}

async function performOnPlans(
  address: ServiceAddress,
  command: Extract<KeyCommand, { name: "plans" }>,
  environment: NodeJS.ProcessEnv,
): Promise<Printed> {
  switch (command.action) {
    case "show": {
      const plans = plansFromWire(await callService(address, KEY_ADMIN.GetPlans, {}));
      return { json: plans, text: plansText(plans) };
    }
    case "check": {
      const text = String(await readInput(command.file, MAX_PLANS_BYTES, environment));
      const check = plansCheckFromWire(await callService(address, KEY_ADMIN.CheckPlans, { text }));
      return { json: check, text: plansCheckText(check) };
    }
    case "confirm": {
      const plans = plansFromWire(await callService(address, KEY_ADMIN.ConfirmPlans, { hash: command.hash }));
      return { json: plans, text: plansText(plans) };
    }
  }
}
