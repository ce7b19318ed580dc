import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";

/** The error of a promise that must be rejected. @throws AssertionError if it isn't */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.fail("it was fulfilled"),
    (error: Error) => error,
  );
}

/** The message of the StartError that work must fail with. @throws AssertionError if it doesn't */
export async function startError(work: () => unknown): Promise<string> {
  const error = await rejection((async () => work())());
  expect(error).to.be.instanceOf(StartError);
  return error.message;
}
