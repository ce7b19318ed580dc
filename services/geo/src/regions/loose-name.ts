/** Words that say what kind of subdivision it is; vendors keep or drop them at will. */
const KINDS = new Set(
  (
    "autonomous canton city council county departamento departement department district division governorate " +
    "island islands judet kraj kray krai municipality oblast oblys oblysy parish prefecture province provincia region republic respublika " +
    "state territory voivodeship wilaya al el as ash ad ar an of de do la the si shi sheng lan apskritis zupanija " +
    "gwangyeoksi teukbyeolsi teukbyeoljachido voblasts voblasc zizhiqu urban atoll atholhu shahri"
  ).split(" "),
);

/** Those that say it is a city. */
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
