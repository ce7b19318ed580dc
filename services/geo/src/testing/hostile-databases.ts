import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDataSection } from "../mmdb/data-section.ts";

/** Control bytes of the MaxMind DB format 2.0; types above 7 have a second byte with the type minus 7. */
const POINTER_5_BYTES = 0x38;
const MAX_SIZE_STRING = 0x5f;
const EXTENDED_ARRAY = 4;
const MARKER = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const SEPARATOR = Buffer.alloc(16);

const text = (value: string) => Buffer.from([0x40 | value.length, ...Buffer.from(value)]);
const map = (pairs: number) => Buffer.from([0xe0 | pairs]);
const array = (items: number) => Buffer.from([items, EXTENDED_ARRAY]);
const pointer = (target: number) => {
  const bytes = Buffer.from([POINTER_5_BYTES, 0, 0, 0, 0]);
  bytes.writeUInt32BE(target, 1);
  return bytes;
};

/** Nine lists of ten pointers, each to the next list: 10⁹ values in half a kilobyte. @param start their offset in the section. */
function laughs(start: number): Buffer {
  const length = 2 + 10 * 5;
  const lists = Array.from({ length: 9 }, (_, level) => [
    array(10),
    ...Array.from({ length: 10 }, () => pointer(start + (level + 1) * length)),
  ]);
  return Buffer.concat([...lists.flat(), text("ha")]);
}

/** Nested lists, of which the innermost is empty. */
const levels = (count: number) => Buffer.concat([...Array.from({ length: count }, () => array(1)), array(0)]);

/** A string of 16 MB, preceded by its control bytes. */
function longText(): Buffer {
  const length = 16_000_000;
  const control = Buffer.alloc(4, MAX_SIZE_STRING);
  control.writeUIntBE(length - 65_821, 1, 3);
  return Buffer.concat([control, Buffer.alloc(length, "x")]);
}

/** A record of a town. `value` returns the value of the field `name`, given its offset. */
function town(name: string, value: (start: number) => Buffer): Buffer {
  const before = Buffer.concat([map(2), text("country_code"), text("NZ"), text(name)]);
  return Buffer.concat([before, value(before.length)]);
}

const good = town("city", () => text("Town"));

/** Metadata as vendors write it, with some fields replaced, or raw ones added. */
function metadata(members: Record<string, number> = {}, added: (start: number) => Buffer = () => Buffer.alloc(0)) {
  const section = createDataSection({ share: false });
  section.write({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: "city",
    ip_version: 4,
    languages: [],
    node_count: 1,
    record_size: 24,
    ...members,
  });
  const bytes = section.bytes();
  const more = added(bytes.length);
  const whole = Buffer.concat([bytes, more]);
  if (more.length > 0) whole[0] = (whole[0] as number) + 1;
  return whole;
}

/** A file. By default, its tree has one node, both of whose records point to the first byte of the data. */
function file(data: Buffer, options: { metadata?: Buffer; tree?: Buffer } = {}): Buffer {
  const { tree = Buffer.from([0, 0, 17, 0, 0, 17]) } = options;
  return Buffer.concat([tree, SEPARATOR, data, MARKER, options.metadata ?? metadata()]);
}

/** A search tree of 24-bit records. */
function tree(nodes: readonly (readonly [left: number, right: number])[]): Buffer {
  const bytes = Buffer.alloc(nodes.length * 6);
  for (const [index, [left, right]] of nodes.entries()) {
    bytes.writeUIntBE(left, index * 6, 3);
    bytes.writeUIntBE(right, index * 6 + 3, 3);
  }
  return bytes;
}

/** A database in which every address has a record. Each attack below changes one thing in it. */
export const harmlessDatabase = (): Buffer => file(good);

/** Databases that exhaust a careless reader's time or memory, or change its prototypes. None may be used. Built on each call. */
export const HOSTILE_DATABASES: Readonly<Record<string, () => Buffer>> = {
  "billion laughs in a record": () => file(town("city", laughs)),
  "billion laughs in an unused field": () => file(town("other", laughs)),
  "billion laughs in the metadata": () =>
    file(good, { metadata: metadata({}, (start) => Buffer.concat([text("laughs"), laughs(start + 7)])) }),
  "a list that contains itself": () => file(town("city", (start) => Buffer.concat([array(1), pointer(start)]))),
  "a pointer to itself": () => file(town("city", pointer)),
  "a search tree with a cycle": () =>
    file(good, {
      tree: tree([
        [1, 19],
        [2, 19],
        [1, 19],
      ]),
      metadata: metadata({ node_count: 3 }),
    }),
  "a search tree of 100,000 levels": () =>
    file(good, {
      tree: tree(Array.from({ length: 100_000 }, (_, node) => [node + 1 < 100_000 ? node + 1 : 100_016, 100_016])),
      metadata: metadata({ node_count: 100_000 }),
    }),
  "100,000 nested lists in a record": () => file(town("city", () => levels(100_000))),
  "50,000 nested lists in the metadata": () =>
    file(good, { metadata: metadata({}, () => Buffer.concat([text("levels"), levels(50_000)])) }),
  "a map that claims 16 million entries": () => file(Buffer.from([0xff, 0xff, 0xff, 0xff])),
  "a list that claims 16 million items": () =>
    file(town("city", () => Buffer.concat([Buffer.from([31, EXTENDED_ARRAY, 0xff, 0xff, 0xff]), Buffer.alloc(1e6)]))),
  "a string of 16 MB that every field points to": () => {
    const keys = ["city", "state1", "state2", "postcode", "timezone", "a", "b", "c", "d", "e"];
    const record = (at: number) =>
      Buffer.concat(
        [map(keys.length + 1), text("country_code"), text("NZ")].concat(
          keys.flatMap((key) => [text(key), pointer(at)]),
        ),
      );
    return file(Buffer.concat([record(record(0).length), longText()]));
  },
  "a string that claims 16 MB": () => file(town("city", () => Buffer.from([MAX_SIZE_STRING, 0xff, 0xff, 0xff]))),
  "a node count beyond the end of the file": () => file(good, { metadata: metadata({ node_count: 0xffff_ffff }) }),
  "a field named __proto__ in a record": () =>
    file(town("__proto__", () => Buffer.concat([map(1), text("city"), text("x")]))),
  "a field named __proto__ in the metadata": () =>
    file(good, { metadata: metadata({}, () => Buffer.concat([text("__proto__"), map(1), text("x"), text("y")])) }),
};

/**
 * A good database whose check takes seconds: 262,144 records, each a list of 500 values. A stop or a lookup must not wait
 * for it.
 */
export function slowDatabase(): Buffer {
  const nodes = 2 ** 18 - 1;
  const record = Buffer.concat([map(2), text("country_code"), text("NZ"), text("names")]);
  const length = record.length + 5;
  const data = Buffer.concat([
    ...Array.from({ length: nodes + 1 }, () => Buffer.concat([record, pointer((nodes + 1) * length)])),
    Buffer.from([30, EXTENDED_ARRAY, 0, 500 - 285]),
    ...Array.from({ length: 500 }, () => Buffer.from([0, 7])),
  ]);
  // A heap: below each node two nodes, below the last ones the records in order.
  const child = (index: number) => (index < nodes ? index : nodes + 16 + (index - nodes) * length);
  return file(data, {
    tree: tree(Array.from({ length: nodes }, (_, node) => [child(2 * node + 1), child(2 * node + 2)])),
    metadata: metadata({ node_count: nodes }),
  });
}

/** Special files and endless ones: each is created at a path. */
export const HOSTILE_FILES: Readonly<Record<string, (path: string) => string>> = {
  "a named pipe": (path) => {
    execFileSync("mkfifo", [path]);
    return path;
  },
  "a device without an end": () => "/dev/zero",
  "a folder": (path) => {
    mkdirSync(path);
    return path;
  },
};

/** Writes all hostile databases below a folder, and makes the hostile files. @returns their paths by what they are. */
export function writeHostileDatabases(folder: string): Record<string, string> {
  const paths: Record<string, string> = {};
  for (const [index, [name, make]] of Object.entries(HOSTILE_DATABASES).entries()) {
    const path = join(folder, `hostile-${index}.mmdb`);
    writeFileSync(path, make());
    paths[name] = path;
  }
  for (const [index, [name, make]] of Object.entries(HOSTILE_FILES).entries())
    paths[name] = make(join(folder, `special-${index}.mmdb`));
  return paths;
}
