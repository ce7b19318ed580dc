import fc, { type Arbitrary } from "fast-check";

/** Bytes that are special to some reader. */
const ODD_BYTES = [
  0, 1, 0x0a, 0x0d, 0x20, 0x22, 0x29, 0x2c, 0x30, 0x3a, 0x5b, 0x5c, 0x7b, 0x7d, 0x7f, 0x80, 0xe0, 0xff,
];
const MAX_MUTATIONS = 8;
const MAX_INSERTED_BYTES = 64;
const MAX_REPEATS = 300;
/** Repeats multiply: without a bound, a few would make an input of gigabytes. */
const MAX_BYTES = 1_000_000;

/** One change. `at` and `length` are in thousandths of the input's length. */
type Mutation =
  | { kind: "set"; at: number; byte: number }
  | { kind: "insert"; at: number; bytes: Uint8Array }
  | { kind: "remove"; at: number; length: number }
  | { kind: "repeat"; at: number; length: number; times: number }
  | { kind: "cut"; at: number };

/**
 * Inputs that are one of `bases` with a few mutations, or random bytes. A failing one shrinks to the fewest mutations that
 * fail.
 * @param tokens strings that are special to the reader, inserted at random places.
 */
export function mutated(bases: readonly Uint8Array[], tokens: readonly string[] = []): Arbitrary<Uint8Array> {
  const place = fc.nat(1_000);
  const byte = fc.oneof(fc.constantFrom(...ODD_BYTES), fc.nat(255));
  const inserted = fc.oneof(
    fc.uint8Array({ maxLength: MAX_INSERTED_BYTES }),
    ...(tokens.length > 0 ? [fc.constantFrom(...tokens).map((token) => Buffer.from(token))] : []),
  );
  const mutation: Arbitrary<Mutation> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("set" as const), at: place, byte }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("insert" as const), at: place, bytes: inserted }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), at: place, length: fc.nat(100) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        ...{ kind: fc.constant("repeat" as const), at: place, length: fc.nat(100), times: fc.nat(MAX_REPEATS) },
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut" as const), at: place }) },
  );
  const changed = fc
    .tuple(fc.constantFrom(...bases), fc.array(mutation, { maxLength: MAX_MUTATIONS }))
    .map(([base, mutations]) => mutations.reduce(mutate, base));
  return fc.oneof({ weight: 19, arbitrary: changed }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) });
}

/** Applies one mutation. */
export function mutate(bytes: Uint8Array, mutation: Mutation): Uint8Array {
  const at = Math.floor((bytes.length * mutation.at) / 1_000);
  const end = "length" in mutation ? at + Math.ceil((bytes.length * mutation.length) / 1_000) : at;
  const [before, taken, behind] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (mutation.kind) {
    case "set":
      return Buffer.concat([before, Buffer.of(mutation.byte), behind.subarray(1)]);
    case "insert":
      return Buffer.concat([before, mutation.bytes, behind]);
    case "remove":
      return Buffer.concat([before, behind]);
    case "repeat": {
      const times = Math.min(mutation.times, Math.floor((MAX_BYTES - bytes.length) / taken.length));
      return times > 0 ? Buffer.concat([before, ...Array(times + 1).fill(taken), behind]) : bytes;
    }
    case "cut":
      return before;
  }
}
