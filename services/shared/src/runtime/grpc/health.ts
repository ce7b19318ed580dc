import type grpc from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import { type Method, startUnary } from "./client.ts";

const CHECK_TIMEOUT_MS = 1_000;
const CHECK = healthService.Check as Method<object, { status?: unknown }>;

/**
 * Asks the standard health service over the channel that calls use.
 * @param done called with the result, and why there was no response; empty if there was one.
 */
export function checkHealth(client: grpc.Client, done: (isServing: boolean, reason: string) => void): void {
  startUnary(client, CHECK, {}, { deadlineMs: CHECK_TIMEOUT_MS }, (error, health) =>
    done(error === null && health?.status === "SERVING", error?.details ?? ""),
  );
}
