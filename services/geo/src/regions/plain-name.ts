/** Letters that do not decompose into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ı: "i",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ə: "a",
};

/** A name without case, diacritics and punctuation, to compare names by. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[ıøłđðþßæœə]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFD")
    .replace(/[\u0300-\u036f'’‘ʻʼʿ`]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
