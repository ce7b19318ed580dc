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

/** Reads a table's text: entries separated by `; `, each a code, a space and names separated by ` | `. Empty text has none. */
export function parseNames(text: string): { code: string; names: string[] }[] {
  if (text === "") return [];
  return text.split("; ").map((entry) => {
    const space = entry.indexOf(" ");
    return { code: entry.slice(0, space), names: entry.slice(space + 1).split(" | ") };
  });
}

/** Words that say what kind of subdivision it is; vendors keep or drop them at will. */
const KINDS = new Set(
  (
    "autonomous canton city council county departamento departement department district division governorate " +
    "island islands judet kraj kray krai municipality oblast oblys oblysy parish prefecture province provincia region republic respublika " +
    "state territory voivodeship wilaya al el as ash ad ar an of de do la the si shi sheng lan apskritis zupanija " +
    "gwangyeoksi teukbyeolsi teukbyeoljachido voblasts voblasc zizhiqu urban atoll atholhu shahri"
  ).split(" "),
);

/** Words that say the place is a city. Not all of them are in KINDS. */
const CITY_KINDS = new Set("city grad municipality prefecture shahri shi si".split(" "));

/** The adjective's ending that Slavic languages put on a name: Sverdlovskaya, Sverdlovsk; Lvivska, Lviv. */
const ADJECTIVE = /(?:skaya|skiy|skyi|ska|sky|sk)$/;

/** A plain name (`plainName`) without words that say what kind of subdivision it is. */
export function looseName(plain: string): string {
  const words = plain.split(" ").filter((word) => !KINDS.has(word));
  return words.length > 0 ? words.map((word) => word.replace(ADJECTIVE, "") || word).join(" ") : plain;
}

/** Whether a plain name says that it is a city's. */
export function saysCity(plain: string): boolean {
  return plain.split(" ").some((word) => CITY_KINDS.has(word));
}
