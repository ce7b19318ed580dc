import { attackSuite } from "./harness/attack-suite.ts";

/** Attacks that reach services behind the gateway, or that cost them. test/full runs all, on a cluster of separate processes. */
const INCLUDED = ["unknown-keys", "grpc-batches", "grpc-streams"];

attackSuite("attacks on a cluster", { way: "cluster in one process", isTls: false, isBehindHaproxy: false }, (name) =>
  INCLUDED.includes(name),
);
