import { attackSuite } from "./attack-suite.ts";

/** What reaches services behind the gateway, or costs them. */
const INCLUDED = ["unknown-keys", "grpc-batches", "grpc-streams"];

attackSuite("attacks on a cluster", { way: "cluster", isTls: false, isBehindHaproxy: false }, (name) =>
  INCLUDED.includes(name),
);
