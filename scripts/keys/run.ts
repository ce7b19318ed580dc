import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { eventFromWire, keyFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { callService, fetchUsage, issueKey, listKeys } from "./admin-client.ts";
import { type Command, parseCommandLine, USAGE, UsageError } from "./command-line.ts";
import { historyTable, issuedText, keyTable, keyText, usageTable } from "./output.ts";
import { findService, type ServiceAddress } from "./service-address.ts";

/** What a command prints: the same thing for machines and for people. */
interface Printed {
  json: unknown;
  text: string;
}

/**
 * Runs one key command.
 * @param options.args the arguments after the program's name.
 * @returns the exit status: 0, 1 when it failed, 2 when the command line was not understood.
 */
export async function runKeys(options: {
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  print: (text: string) => void;
  printError: (text: string) => void;
}): Promise<number> {
  const { print, printError } = options;
  try {
    const { command, json } = parseCommandLine(options.args);
    if (command.name === "help") {
      print(USAGE);
      return 0;
    }
    const printed = await perform(command, (service) => findService(service, options.environment), options.clock);
    print(json ? `${JSON.stringify(printed.json, null, 2)}\n` : printed.text);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      printError(`keys: ${error.message}\nThe commands: make keys ARGS=--help\n`);
      return 2;
    }
    if (!(error instanceof StartError || error instanceof ServiceError)) throw error;
    printError(`keys: ${error.message}\n`);
    return 1;
  }
}

async function perform(
  command: Exclude<Command, { name: "help" }>,
  find: (service: "auth" | "usage") => ServiceAddress,
  clock: Clock,
): Promise<Printed> {
  const address = find("auth");
  switch (command.name) {
    case "issue": {
      const { kind, plan, label, origins } = command;
      const { secret, key } = await issueKey(address, { kind, plan, label, origins });
      return { json: { ...key, key: secret }, text: issuedText(secret, key) };
    }
    case "list": {
      const keys = await listKeys(address, command.filter);
      return { json: keys, text: keyTable(keys, Object.values(command.filter).some(Boolean)) };
    }
    case "history": {
      const response = await callService(address, KEY_ADMIN.GetHistory, { keyId: command.keyId });
      const events = response.events.map(eventFromWire);
      return { json: events, text: historyTable(events) };
    }
    case "usage": {
      const usageAddress = find("usage");
      // Usage tells zero of any key; whether there is one only auth knows.
      await callService(address, KEY_ADMIN.GetKey, { keyId: command.keyId });
      const usage = await fetchUsage(usageAddress, command.keyId, command.month ?? periodAt(clock()).month);
      return { json: usage, text: usageTable(usage) };
    }
    default: {
      const key = keyFromWire(await callForKey(address, command));
      return { json: key, text: keyText(key) };
    }
  }
}

/** Calls the method of a command that prints a key. Its arguments are the request's fields. */
function callForKey(
  address: ServiceAddress,
  { name, ...request }: Exclude<Command, { name: "help" | "issue" | "list" | "history" | "usage" }>,
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
