/**
 * The fewest CIDR networks that make up an inclusive range of addresses.
 * @param first the range's first address as a number; likewise `last`.
 * @param bits 32 or 128.
 * @returns each network's first address and prefix length.
 */
export function* rangeToNetworks(
  first: bigint,
  last: bigint,
  bits: 32 | 128,
): Generator<{ address: bigint; prefixLength: number }> {
  let address = first;
  while (address <= last) {
    let hostBits = 0;
    while (hostBits < bits) {
      const size = 1n << BigInt(hostBits + 1);
      if (address % size !== 0n || address + size - 1n > last) break;
      hostBits++;
    }
    yield { address, prefixLength: bits - hostBits };
    address += 1n << BigInt(hostBits);
  }
}
