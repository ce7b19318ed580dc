import { expect } from "chai";
import { grpcTarget, host, natsUrl, redisUrl } from "./addresses.ts";

type Validator = { safeParse(value: string): { success: boolean } };

const CASES: [what: string, validator: Validator, good: string[], bad: string[]][] = [
  [
    "an address to listen on",
    host(),
    [
      "127.0.0.1",
      "0.0.0.0",
      "::",
      "::1",
      "fe80::1%eth0",
      "localhost",
      "gateway-0.geo.svc.cluster.local.",
      "node_1",
      "127.1",
    ],
    ["999.1.1.1", "1.2.3.4.5", "10.0.0.256", "127.0.0.1:80", "localhost:80", "[::1]", "http://a", "a/b", "*", " "],
  ],
  [
    "a gRPC target",
    grpcTarget(),
    [
      "127.0.0.1:50052",
      "auth:50052",
      "auth.geo.svc.cluster.local.:50052",
      "[::1]:50052",
      "dns:auth:50052",
      "dns:///auth:50052",
      "dns://10.0.0.2/auth:50052",
      "dns:///[::1]:50052",
      "ipv4:10.0.0.1:50052",
      "ipv4:10.0.0.1:50052,10.0.0.2:50053",
      "ipv6:[::1]:50052,[2001:db8::1]:50052",
      "unix:/run/auth.sock",
      "unix:///run/auth.sock",
    ],
    [
      "http://auth:50052",
      "%%%",
      "auth",
      "auth:",
      ":50052",
      "auth:0",
      "auth:65536",
      "auth:50052/path",
      "a:1,b:2",
      "dns:///auth",
      "ipv4:auth:50052",
      "ipv4:10.0.0.1",
      "ipv4:10.0.0.1:1,",
      "ipv4:10.0.0.1:1, 10.0.0.2:1",
      "ipv4://authority/10.0.0.1:1",
      "ipv6:::1:50052",
      "unix:",
      "xds:///auth:50052",
    ],
  ],
  [
    "a NATS URL",
    natsUrl(),
    [
      "nats://127.0.0.1:4222",
      "nats://a,nats://b:4223",
      "nats://user:pass@a:4222",
      "tls://a:4222",
      "a:4222",
      "nats://[::1]:4222",
    ],
    [
      "http://a:4222",
      "redis://a:6379",
      "nats://",
      "nats://a:4222,",
      "nats://a:4222, nats://b:4222",
      "nats://a:x",
      "%%%",
    ],
  ],
  [
    "a Redis URL",
    redisUrl(),
    ["redis://a", "redis://a:6379", "redis://a:6379/2", "rediss://user:p%40ss@a:6379/", "redis://[::1]:6379"],
    ["http://a:6379", "a:6379", "redis://", "redis://a:x", "redis://a:6379/name", "redis://a:6379/1/2", "%%%"],
  ],
];

for (const [what, validator, good, bad] of CASES)
  describe(what, () => {
    for (const value of good) it(`can be ${value}`, () => expect(validator.safeParse(value).success).to.equal(true));
    for (const value of bad) it(`cannot be ${value}`, () => expect(validator.safeParse(value).success).to.equal(false));
  });
