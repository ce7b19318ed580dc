/** Tests use fixed addresses in 44.0.0.0/16, so counting starts after it. */
let next = 2 ** 16;

/**
 * A public IPv4 address that is new in this run, so that tests don't share limits.
 * All of them are in the fixtures' fully placed network 44.0.0.0/12.
 */
export function freshIpv4(): string {
  next += 1;
  return `44.${(next >> 16) & 15}.${(next >> 8) & 255}.${next & 255}`;
}

/** A /64 prefix, e.g. `2a0e:1234:1:5`, that is new in this run, in the fixtures' network 2a0e:1234::/32. */
export function freshIpv6Prefix(): string {
  next += 1;
  return `2a0e:1234:${(next >> 16).toString(16)}:${(next & 0xffff).toString(16)}`;
}
