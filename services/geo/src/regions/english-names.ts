import english from "cldr-subdivisions-full/subdivisions/en/en.json" with { type: "json" };
import { parseNames } from "./compare-names.ts";
import { subdivisionsOf } from "./subdivisions.ts";

/** CLDR's English names, by country and code, together in lower case. */
const CLDR: Readonly<Record<string, string>> = english.subdivisions.localeDisplayNames.subdivisions;

/** Countries for which CLDR 48 has the codes from before ISO 3166-2 renumbered them. */
const RENUMBERED: ReadonlySet<string> = new Set(["IR", "MA"]);

/**
 * The English names of a country's subdivisions, by code: CLDR's with reviewed corrections.
 * @param country ISO 3166-1 alpha-2.
 * @param codes of its subdivisions. Those without an English name are left out.
 */
export function englishNamesOf(country: string, codes: readonly string[]): ReadonlyMap<string, string> {
  const corrected = correctedNamesOf(country);
  return new Map(
    codes.flatMap((code) => {
      const name = corrected.get(code) ?? (RENUMBERED.has(country) ? undefined : CLDR[(country + code).toLowerCase()]);
      return name === undefined ? [] : [[code, commonSpelling(country, bare(name))] as const];
    }),
  );
}

/** Countries in whose own spelling a vowel may have a macron. Elsewhere it is a mark of transliteration. */
const WITH_MACRONS: ReadonlySet<string> = new Set(["LV"]);

/** A name as people write it: without footnote marks, typographic characters and marks of transliteration. */
export function commonSpelling(country: string, name: string): string {
  const plain = name
    .replace(/ *[†*]$/, "")
    .replace(/[’‘ʻʼ]/g, "'")
    .replaceAll("–", "-")
    .replaceAll(" & ", " and ");
  return WITH_MACRONS.has(country) ? plain : plain.normalize("NFD").replaceAll("\u0304", "").normalize("NFC");
}

/** CLDR distinguishes names by additions: "Lagos²" and "Bay, Somalia". Other commas belong to the name: "Newry, Mourne and Down". */
function bare(listed: string): string {
  return listed.replace(/[²³]$|, Somalia$/, "");
}

/**
 * Reviewed corrections to the English names of CLDR 48.2, by country: code, then name. They replace codes that ISO 3166-2
 * renumbered (IR, MA) or renamed (NP, NO), names that are not English (CZ, KZ, UA), adjectives (RU), and names that
 * two regions would share. Sources: ISO 3166-2 and the English names of GeoNames.
 */
const CORRECTIONS: Readonly<Record<string, string>> = {
  AR: "B Buenos Aires Province; C Buenos Aires",
  AZ: "NX Nakhchivan",
  BG: "22 Sofia; 23 Sofia Province",
  BY: "HO Gomel; HR Grodno; MA Mogilev",
  CD: "BC Kongo Central",
  CL: "BI Biobío; LI O'Higgins; MA Magallanes",
  CN: "HK Hong Kong; MO Macao; NM Inner Mongolia; TW Taiwan",
  CO: "DC Bogotá",
  CZ: "10 Prague; 20 Central Bohemia; 31 South Bohemia; 32 Plzeň; 41 Karlovy Vary; 42 Ústí nad Labem; 51 Liberec; 52 Hradec Králové; 53 Pardubice; 63 Vysočina; 64 South Moravia; 71 Olomouc; 72 Zlín; 80 Moravia-Silesia",
  DK: "81 North Denmark",
  ES: "MC Murcia; MD Madrid; NC Navarre",
  FI: "01 Åland",
  FR: "20R Corsica; 973 French Guiana; BFC Bourgogne-Franche-Comté; GES Grand Est; NOR Normandy; PAC Provence-Alpes-Côte d'Azur",
  GL: "AV Avannaata",
  ID: "PD Southwest Papua; PE Highland Papua; PS South Papua; PT Central Papua",
  IQ: "QA Al-Qadisiyah",
  IR: "00 Markazi; 01 Gilan; 02 Mazandaran; 03 East Azerbaijan; 04 West Azerbaijan; 05 Kermanshah; 06 Khuzestan; 07 Fars; 08 Kerman; 09 Razavi Khorasan; 10 Isfahan; 11 Sistan and Baluchestan; 12 Kurdistan; 13 Hamadan; 14 Chaharmahal and Bakhtiari; 15 Lorestan; 16 Ilam; 17 Kohgiluyeh and Boyer-Ahmad; 18 Bushehr; 19 Zanjan; 20 Semnan; 21 Yazd; 22 Hormozgan; 23 Tehran; 24 Ardabil; 25 Qom; 26 Qazvin; 27 Golestan; 28 North Khorasan; 29 South Khorasan; 30 Alborz",
  IS: "1 Capital Region",
  IT: "36 Friuli Venezia Giulia",
  KP: "15 Kaesong",
  KR: "29 Gwangju",
  KZ: "10 Abai; 11 Akmola; 15 Aktobe; 19 Almaty Region; 23 Atyrau; 27 West Kazakhstan; 31 Jambyl; 33 Jetisu; 35 Karaganda; 39 Kostanay; 43 Kyzylorda; 47 Mangystau; 55 Pavlodar; 59 North Kazakhstan; 61 Turkistan; 62 Ulytau; 63 East Kazakhstan; 71 Astana; 75 Almaty; 79 Shymkent",
  LV: "111 Augšdaugava; 112 South Kurzeme; 113 Valmiera",
  MA: "01 Tanger-Tétouan-Al Hoceïma; 02 Oriental; 03 Fès-Meknès; 04 Rabat-Salé-Kénitra; 05 Béni Mellal-Khénifra; 06 Casablanca-Settat; 07 Marrakech-Safi; 08 Drâa-Tafilalet; 09 Souss-Massa; 10 Guelmim-Oued Noun; 11 Laâyoune-Sakia El Hamra; 12 Dakhla-Oued Ed-Dahab",
  MU: "BL Black River",
  MX: "CMX Mexico City; MEX State of Mexico",
  NI: "AN North Caribbean Coast; AS South Caribbean Coast",
  NO: "31 Østfold; 32 Akershus; 33 Buskerud; 39 Vestfold; 40 Telemark; 55 Troms; 56 Finnmark",
  NP: "P1 Koshi; P2 Madhesh; P3 Bagmati; P4 Gandaki; P5 Lumbini; P6 Karnali; P7 Sudurpashchim",
  NZ: "MBH Marlborough",
  OM: "BJ Al Batinah South; BS Al Batinah North; SJ Ash Sharqiyah South; SS Ash Sharqiyah North",
  PA: "10 Panamá Oeste",
  PE: "CAL Callao",
  PG: "NCD National Capital District",
  PH: "14 Bangsamoro",
  PL: "26 Świętokrzyskie",
  QA: "SH Al Shahaniya",
  RS: "00 Belgrade",
  RU: "AL Altai Republic; BU Buryatia; CE Chechnya; CU Chuvashia; KB Kabardino-Balkaria; KC Karachay-Cherkessia; LEN Leningrad Oblast; MOS Moscow Oblast; UD Udmurtia; YEV Jewish Autonomous Oblast",
  SH: "TA Tristan da Cunha",
  TJ: "RA Districts of Republican Subordination",
  TM: "D Dashoguz; S Ashgabat",
  TW: "CYI Chiayi City; CYQ Chiayi County; HSQ Hsinchu County; HSZ Hsinchu City",
  UA: "05 Vinnytsia; 07 Volyn; 09 Luhansk; 12 Dnipropetrovsk; 14 Donetsk; 18 Zhytomyr; 21 Zakarpattia; 23 Zaporizhzhia; 26 Ivano-Frankivsk; 30 Kyiv; 32 Kyiv Oblast; 35 Kirovohrad; 40 Sevastopol; 43 Crimea; 46 Lviv; 48 Mykolaiv; 51 Odesa; 53 Poltava; 56 Rivne; 59 Sumy; 61 Ternopil; 63 Kharkiv; 65 Kherson; 68 Khmelnytskyi; 71 Cherkasy; 74 Chernihiv; 77 Chernivtsi",
  US: "DC District of Columbia",
  UZ: "TO Tashkent Region",
  VE: "A Capital District; X La Guaira",
  YE: "AD Aden",
};

/** Countries with corrections. */
export const CORRECTED_COUNTRIES: readonly string[] = Object.keys(CORRECTIONS);

/** The corrected English names of a country, by code. */
export function correctedNamesOf(country: string): ReadonlyMap<string, string> {
  const text = Object.hasOwn(CORRECTIONS, country) ? CORRECTIONS[country] : undefined;
  return new Map(parseNames(text ?? "").map(({ code, names }) => [code, names[0] as string]));
}

const NAMES = new Map<string, ReadonlyMap<string, string>>();

/**
 * The one name that responses use for a region: its English name, else the name in ISO 3166-2.
 * @param country ISO 3166-1 alpha-2.
 * @param code of a subdivision, without the country.
 * @returns undefined if ISO 3166-2 doesn't have that code.
 */
export function regionNameOf(country: string, code: string): string | undefined {
  let names = NAMES.get(country);
  if (names === undefined) {
    const subdivisions = subdivisionsOf(country);
    const english = englishNamesOf(
      country,
      subdivisions.map((subdivision) => subdivision.code),
    );
    const full = subdivisions.map((listed) => ({
      ...listed,
      name: english.get(listed.code) ?? commonSpelling(country, listed.name),
    }));
    const regions = full.filter(({ isFirstLevel }) => isFirstLevel).map(({ name }) => name);
    names = new Map(full.map(({ code, name }) => [code, withoutKind(name, regions)]));
    NAMES.set(country, names);
  }
  return names.get(code);
}

/** A word that says what kind of region it is, behind a name that says enough without it: not behind "Eastern" or "Capital". */
const KIND =
  /^(?!(?:[\w ]+ )?(?:Capital|Central|Federal|Lower|Metropolitan|Middle|Upper|(?:North|South|East|West|(?:North|South)(?:east|west))(?:ern)?)(?: \w+)?$)(.+?) (?:County|District|Division|Governorate|Municipality|Province|Region)$/;

/** Leaves out such words, unless another region of the country is known by the name without it. */
function withoutKind(name: string, others: readonly string[]): string {
  const short = KIND.exec(name)?.[1];
  const isTaken = (other: string) => other !== name && (other === short || other.startsWith(`${short} `));
  return short === undefined || others.some(isTaken) ? name : short;
}
