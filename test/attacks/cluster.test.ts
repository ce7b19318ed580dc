import { ONE_OF_EACH } from "../harness/cluster.ts";
import { attackSuite } from "./attack-suite.ts";

/** Attacks that reach services behind the gateway, or that cost them. */
const INCLUDED = ["unknown-keys", "grpc-batches", "grpc-streams"];

attackSuite(
  "attacks on a cluster",
  { way: "cluster", isTls: false, isBehindHaproxy: false, settings: ONE_OF_EACH },
  (name) => INCLUDED.includes(name),
);
