import { MmdbError } from "../mmdb/error.ts";
import { plainName } from "../regions/compare-names.ts";

/** Characters that the different values of all databases may have in all. Vendors' files have a hundredth of it. */
const MAX_CHARACTERS = 500_000_000;

/** Numbers values: equal values, of whatever database, get the same number. */
export function createTexts() {
  const idOf = new Map<string, number>();
  const texts: string[] = [""];
  const plainIds: number[] = [0];
  let characters = 0;

  function number(text: string): number {
    const known = idOf.get(text);
    if (known !== undefined) return known;
    characters += text.length;
    if (characters > MAX_CHARACTERS) throw new MmdbError("its records have too many different values for a report");
    idOf.set(text, texts.length);
    return texts.push(text) - 1;
  }

  return {
    /** The number of a value; 0 for null. @throws MmdbError when there are too many. */
    idOf: (value: string | number | boolean | readonly string[] | null): number =>
      value === null ? 0 : number(String(value)),
    /** The value of a number. */
    textOf: (id: number): string => texts[id] as string,
    /** The number that names share which differ only in case, diacritics and punctuation. */
    plainIdOf: (id: number): number => {
      const known = plainIds[id];
      if (known !== undefined) return known;
      const plain = number(plainName(texts[id] as string) || (texts[id] as string));
      plainIds[id] = plain;
      return plain;
    },
  };
}

export type Texts = ReturnType<typeof createTexts>;
