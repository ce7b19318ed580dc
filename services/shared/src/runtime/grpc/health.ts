import grpc from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";

const CHECK_TIMEOUT_MS = 1_000;

/** Asks the standard health service over the very channel that calls take. */
export function checkHealth(client: grpc.Client, done: (serving: boolean) => void): void {
  const { path, requestSerialize, responseDeserialize } = healthService.Check as grpc.MethodDefinition<
    object,
    { status?: unknown }
  >;
  const options = { deadline: Date.now() + CHECK_TIMEOUT_MS };
  client.makeUnaryRequest(
    path,
    requestSerialize,
    responseDeserialize,
    {},
    new grpc.Metadata(),
    options,
    (error, health) => done(error === null && health?.status === "SERVING"),
  );
}
