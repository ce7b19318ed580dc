import { readFileSync } from "node:fs";
import { startNewKeyLog } from "@geolookup/auth/keys/mark/new-key-log.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { periodAt } from "@geolookup/shared/domain/period.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import {
  eventFromWire,
  keyFromWire,
  plansCheckFromWire,
  plansFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { type CommandContext, CommandLineError, printResult } from "../command-line.ts";
import { exportAdvice, findClusterIn } from "../running-services.ts";
import { callService, fetchUsage, issueKey, type ListFilter, listKeys } from "./admin-client.ts";
import {
  historyTable,
  issuedText,
  keyTable,
  keyText,
  plansCheckText,
  plansText,
  revokedText,
  usageTable,
} from "./output.ts";
import { findService, type ServiceAddress } from "./service-address.ts";

/** What the operator asked for. */
export type KeyCommand =
  | { name: "issue"; kind: "publishable" | "secret"; plan: string; label: string; origins: string[]; mayForward?: true }
  | { name: "list"; filter: ListFilter }
  | { name: "show"; keyId: string }
  | { name: "history"; keyId: string }
  | { name: "revoke"; keyId: string; reason: string }
  | { name: "set-plan"; keyId: string; plan: string }
  | { name: "set-origins"; keyId: string; origins: string[] }
  | { name: "set-label"; keyId: string; label: string }
  | { name: "plans"; action: "show" }
  | { name: "plans"; action: "check"; file: string }
  | { name: "plans"; action: "confirm"; hash: string }
  | { name: "usage"; keyId: string; month: string | undefined }
  | { name: "log"; force: boolean };

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
  const { environment } = context;
  const printed =
    command.name === "log"
      ? await startNewLog(environment, command.force)
      : await perform(command, (service) => findService(service, environment), clock);
  printResult(context, printed, asJson);
  return 0;
}

async function perform(
  command: Exclude<KeyCommand, { name: "log" }>,
  find: (service: "auth" | "usage") => ServiceAddress,
  clock: Clock,
): Promise<Printed> {
  const address = find("auth");
  switch (command.name) {
    case "issue": {
      const { name: _, ...request } = command;
      const { secret, key } = await issueKey(address, request);
      return { json: { ...key, key: secret }, text: issuedText(secret, key) };
    }
    case "list": {
      const keys = await listKeys(address, command.filter);
      return { json: keys, text: keyTable(keys, Object.values(command.filter).some(Boolean)) };
    }
    case "revoke": {
      const { version } = await callService(address, KEY_ADMIN.GetKey, { keyId: command.keyId });
      const key = keyFromWire(await callForKey(address, command));
      // Only a change raises the version.
      return { json: key, text: revokedText(key, key.version === version) };
    }
    case "history": {
      const response = await callService(address, KEY_ADMIN.GetHistory, { keyId: command.keyId });
      const events = response.events.map(eventFromWire);
      return { json: events, text: historyTable(events) };
    }
    case "plans":
      return performOnPlans(address, command);
    case "usage": {
      const usageAddress = find("usage");
      // The usage service reports 0 for any key; only auth knows whether it exists, and the ID of a full key.
      const { keyId = "" } = await callService(address, KEY_ADMIN.GetKey, { keyId: command.keyId });
      const usage = await fetchUsage(usageAddress, keyId, command.month ?? periodAt(clock()).month);
      return { json: usage, text: usageTable(usage) };
    }
    default: {
      const key = keyFromWire(await callForKey(address, command));
      return { json: key, text: keyText(key) };
    }
  }
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
): Promise<Printed> {
  switch (command.action) {
    case "show": {
      const plans = plansFromWire(await callService(address, KEY_ADMIN.GetPlans, {}));
      return { json: plans, text: plansText(plans) };
    }
    case "check": {
      const text = readPlansFile(command.file);
      const check = plansCheckFromWire(await callService(address, KEY_ADMIN.CheckPlans, { text }));
      return { json: check, text: plansCheckText(check) };
    }
    case "confirm": {
      const plans = plansFromWire(await callService(address, KEY_ADMIN.ConfirmPlans, { hash: command.hash }));
      return { json: plans, text: plansText(plans) };
    }
  }
}

function readPlansFile(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new CommandLineError(`can't read ${path}: ${(error as Error).message}`);
  }
}

/** Calls the method of a command that prints a key. Its arguments are the request's fields. */
function callForKey(
  address: ServiceAddress,
  { name, ...request }: Exclude<KeyCommand, { name: "log" | "issue" | "list" | "history" | "plans" | "usage" }>,
) {
  switch (name) {
    case "show":
      return callService(address, KEY_ADMIN.GetKey, request);
    case "revoke":
      return callService(address, KEY_ADMIN.RevokeKey, request);
    case "set-plan":
      return callService(address, KEY_ADMIN.SetPlan, request);
    case "set-origins":
      return callService(address, KEY_ADMIN.SetOrigins, request);
    case "set-label":
      return callService(address, KEY_ADMIN.SetLabel, request);
  }
}
