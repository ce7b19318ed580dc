import { attackSuite } from "./attack-suite.ts";

/** Attacks that reach services behind the gateway, or that cost them. */
const INCLUDED = ["unknown-keys", "grpc-batches", "grpc-streams"];

attackSuite("attacks on a cluster", { way: "cluster", isTls: false, isBehindHaproxy: false }, (name) =>
  INCLUDED.includes(name),
);
