/** No S2 writer makes larger blocks. */
const MAX_BLOCK_BYTES = 4 * 1024 * 1024;
const MAX_CHUNK_BYTES = MAX_BLOCK_BYTES + 1024;
/** Key events expand by 3 to 10 times. More than this is a decompression bomb. */
const MAX_RATIO = 200;
const HEADER_BYTES = 4;
const CHECKSUM_BYTES = 4;

/**
 * Decompresses an S2 stream (https://github.com/klauspost/compress/tree/master/s2, an extension of Snappy) block by
 * block: never more than one is in memory. Its checksums are ignored: the archive has its own.
 * @throws Error if it isn't an S2 stream, a block is larger than 4 MB, or it expands more than 200 times.
 */
export async function* decompressS2(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending = Buffer.alloc(0);
  let hasStarted = false;
  let compressedBytes = 0;
  let bytes = 0;
  const counted = (block: Buffer) => {
    bytes += block.length;
    if (bytes > MAX_RATIO * compressedBytes) throw new Error(`it expands to more than ${MAX_RATIO} times its size`);
    return block;
  };
  for await (const piece of compressed) {
    compressedBytes += piece.length;
    pending = Buffer.concat([pending, piece]);
    let at = 0;
    while (pending.length - at >= HEADER_BYTES) {
      const type = pending[at] ?? 0;
      if (!hasStarted && type !== 0xff) throw new Error("it isn't an S2 stream");
      const length = pending.readUIntLE(at + 1, 3);
      if (length > MAX_CHUNK_BYTES && type < 0x80) throw new Error("a chunk is too large");
      if (pending.length - at - HEADER_BYTES < length) break;
      const chunk = pending.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
      at += HEADER_BYTES + length;
      if (type === 0xff) {
        if (chunk.toString("latin1") !== "S2sTwO") throw new Error("it isn't an S2 stream");
        hasStarted = true;
      } else if (type === 0x00) yield counted(decompressBlock(chunk.subarray(CHECKSUM_BYTES)));
      else if (type === 0x01) yield counted(Buffer.from(chunk.subarray(CHECKSUM_BYTES)));
      else if (type < 0x80) throw new Error("a chunk is of an unknown kind");
    }
    pending = pending.subarray(at);
  }
  if (!hasStarted || pending.length > 0) throw new Error("it is truncated");
}

/** One block: its length, then literals and copies of what came before. */
function decompressBlock(block: Buffer): Buffer {
  let at = 0;
  const byte = () => {
    const value = block[at++];
    if (value === undefined) throw new Error("a block is truncated");
    return value;
  };
  const number = (bytes: number) => {
    let value = 0;
    for (let index = 0; index < bytes; index += 1) value += byte() * 256 ** index;
    return value;
  };
  let size = 0;
  for (let shift = 0, more = true; more; shift += 7) {
    if (shift > 28) throw new Error("a block has no length");
    const next = byte();
    size += (next & 0x7f) * 2 ** shift;
    more = next >= 0x80;
  }
  if (size > MAX_BLOCK_BYTES) throw new Error("a block is too large");

  const out = Buffer.alloc(size);
  let length = 0;
  let offset = 0;
  while (at < block.length) {
    const tag = byte();
    const kind = tag & 3;
    let count = tag >> 2;
    if (kind === 0) {
      if (count >= 60) count = number(count - 59);
      count += 1;
      if (count > block.length - at || count > size - length) throw new Error("a literal is too long");
      block.copy(out, length, at, at + count);
      at += count;
      length += count;
      continue;
    }
    if (kind === 1) {
      const found = ((tag & 0xe0) << 3) | byte();
      count = (tag >> 2) & 7;
      if (found !== 0) offset = found;
      // An S2 extension of Snappy: the previous offset again, with a length of any size.
      else if (count >= 5) count = number(count - 4) + ([4, 256, 65_536][count - 5] ?? 0);
      count += 4;
    } else {
      offset = number(kind === 2 ? 2 : 4);
      count += 1;
    }
    if (offset === 0 || offset > length || count > size - length) throw new Error("a copy reaches too far");
    // Byte by byte: a copy may overlap with its own output.
    for (const end = length + count; length < end; length += 1) out[length] = out[length - offset] ?? 0;
  }
  if (length !== size) throw new Error("a block is truncated");
  return out;
}
