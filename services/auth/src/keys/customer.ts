import { isDeepStrictEqual } from "node:util";
import type { CustomerChanged } from "@geolookup/shared/domain/key-event.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Decision, impossible, invalid, readPlan, readReason, readText, valid } from "./key-input.ts";

/** A customer, whose keys share a quota. */
export interface Customer {
  /** Chosen by the operator, and fixed. */
  id: string;
  /** For people. May be empty. */
  name: string;
  /** The plan of its new keys, and of its quota. */
  plan: string;
  /** A quota of its own, in requests per month. Absent: its plan's. */
  monthlyRequests?: number;
  /** The number of its events. */
  version: number;
  /** RFC 3339, UTC, like all times here. */
  createdAt: string;
  /** Set while it is disabled, and all its keys with it. */
  disabledAt?: string;
  disabledReason?: string;
}

export type CustomerCommand =
  | { type: "AddCustomer"; id: string; name: string; plan: string; monthlyRequests?: number }
  /** Changes what is set. */
  | { type: "ChangeCustomer"; name?: string; plan?: string /** Null: the plan's. */; monthlyRequests?: number | null }
  | { type: "DisableCustomer"; reason: string }
  | { type: "EnableCustomer" };

/** An event without its envelope. */
export type CustomerFact = CustomerChanged extends infer Event
  ? Event extends CustomerChanged
    ? Pick<Event, "type" | "data">
    : never
  : never;

const CUSTOMER_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Decides what a command does to a customer. Setting the current value records nothing. @param state undefined: it doesn't exist. */
export function decideCustomer(
  command: CustomerCommand,
  state: Customer | undefined,
  context: { planNames: readonly string[] },
): Decision<CustomerFact> {
  try {
    return { fact: factOf(command, state, context.planNames) };
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: error };
    throw error;
  }
}

function factOf(
  command: CustomerCommand,
  state: Customer | undefined,
  planNames: readonly string[],
): CustomerFact | null {
  if (command.type === "AddCustomer") {
    const { id } = command;
    if (!CUSTOMER_ID.test(id))
      throw invalid(
        "a customer's ID has 1 to 64 characters from a-z, 0-9, _ and -, and starts with a letter or digit, such as acme",
      );
    if (state) throw impossible(`the customer ${id} exists already`);
    return { type: "CustomerAdded", data: dataOf(command, planNames) };
  }
  if (!state) throw new ServiceError("not_found", "this customer doesn't exist");
  switch (command.type) {
    case "ChangeCustomer": {
      const { name, plan, monthlyRequests } = state;
      const current = dataOf({ name, plan, monthlyRequests }, [...planNames, plan]);
      const data = dataOf({ ...current, ...command }, command.plan === undefined ? [plan] : planNames);
      return isDeepStrictEqual(data, current) ? null : { type: "CustomerChanged", data };
    }
    case "DisableCustomer":
      return state.disabledAt
        ? null
        : { type: "CustomerDisabled", data: { reason: valid(readReason(command.reason)) } };
    case "EnableCustomer":
      return state.disabledAt ? { type: "CustomerEnabled", data: {} } : null;
  }
}

function dataOf(
  given: { name: string; plan: string; monthlyRequests?: number | null | undefined },
  planNames: readonly string[],
) {
  const name = valid(readText("name", given.name));
  const plan = valid(readPlan(given.plan, planNames));
  const monthlyRequests = given.monthlyRequests ?? undefined;
  if (monthlyRequests === undefined) return { name, plan };
  if (!Number.isSafeInteger(monthlyRequests) || monthlyRequests < 0)
    throw invalid("a customer's requests per month must be a whole number, 0 or more");
  return { name, plan, monthlyRequests };
}

/**
 * Returns the state after an event.
 * @throws Error when the event isn't possible in this state: the log is corrupt.
 */
export function evolveCustomer(id: string, state: Customer | undefined, event: CustomerChanged): Customer {
  const { version, at } = event;
  if (event.type === "CustomerAdded") {
    if (state) throw new Error(`customer ${id} was added twice`);
    return { id, ...event.data, version, createdAt: at };
  }
  if (!state) throw new Error(`${event.type} of customer ${id}, which wasn't added`);
  const { disabledAt: _at, disabledReason: _reason, ...enabled } = state;
  switch (event.type) {
    case "CustomerChanged": {
      const { monthlyRequests: _, ...other } = state;
      return { ...other, ...event.data, version };
    }
    case "CustomerDisabled":
      return { ...enabled, version, disabledAt: at, disabledReason: event.data.reason };
    case "CustomerEnabled":
      return { ...enabled, version };
  }
}
