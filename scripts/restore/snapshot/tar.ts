const BLOCK_BYTES = 512;
/** The size of a wanted file. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** A stream of a million keys has about a hundred files. */
const MAX_FILES = 100_000;

/**
 * The regular files of a tar archive whose names are wanted, one after another. Nothing is written to disk, so names are
 * harmless; links, folders and devices are skipped.
 * @throws Error if it isn't a tar archive, has more than 100,000 files, or a wanted one is larger than 64 MB.
 */
export async function* untar(
  bytes: AsyncIterable<Buffer>,
  isWanted: (name: string) => boolean,
): AsyncGenerator<{ name: string; content: Buffer }> {
  const pieces = bytes[Symbol.asyncIterator]();
  try {
    yield* filesIn(exactReader(pieces), isWanted);
  } finally {
    await pieces.return?.();
  }
}

async function* filesIn(reader: ReturnType<typeof exactReader>, isWanted: (name: string) => boolean) {
  for (let files = 0; ; files += 1) {
    const header = await reader.take(BLOCK_BYTES);
    if (header === null) throw new Error("it is truncated");
    if (header.every((byte) => byte === 0)) return;
    if (files === MAX_FILES) throw new Error("it has too many files");
    if (!hasGoodSum(header)) throw new Error("it isn't a tar archive");
    const size = octal(header, 124, 12);
    const name = textAt(header, 0, 100);
    const isRegular = header[156] === 0x30 || header[156] === 0;
    const padded = Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    if (!isRegular || !isWanted(name)) {
      if (!(await reader.skip(padded))) throw new Error("it is truncated");
      continue;
    }
    if (size > MAX_FILE_BYTES) throw new Error(`${JSON.stringify(name)} in it is too large`);
    const content = await reader.take(padded);
    if (content === null) throw new Error("it is truncated");
    yield { name, content: content.subarray(0, size) };
  }
}

function textAt(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? length : end);
}

function octal(header: Buffer, from: number, length: number): number {
  const text = textAt(header, from, length).trim();
  if (!/^[0-7]{1,11}$/.test(text)) throw new Error("it isn't a tar archive");
  return Number.parseInt(text, 8);
}

/** The checksum covers all bytes, with blanks in place of the checksum itself. */
function hasGoodSum(header: Buffer): boolean {
  let sum = 8 * 0x20;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  return octal(header, 148, 8) === sum;
}

function exactReader(pieces: AsyncIterator<Buffer>) {
  let rest: Buffer = Buffer.alloc(0);
  const more = async () => {
    const { value, done } = await pieces.next();
    if (!done) rest = value;
    return !done;
  };
  return {
    async take(length: number): Promise<Buffer | null> {
      const taken: Buffer[] = [];
      for (let missing = length; missing > 0; ) {
        if (rest.length === 0 && !(await more())) return null;
        const piece = rest.subarray(0, missing);
        taken.push(piece);
        rest = rest.subarray(piece.length);
        missing -= piece.length;
      }
      return Buffer.concat(taken);
    },
    async skip(length: number): Promise<boolean> {
      for (let missing = length; missing > 0; ) {
        if (rest.length === 0 && !(await more())) return false;
        const skipped = Math.min(missing, rest.length);
        rest = rest.subarray(skipped);
        missing -= skipped;
      }
      return true;
    },
  };
}
