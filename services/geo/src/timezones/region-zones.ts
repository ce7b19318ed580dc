import { parseNames } from "../regions/compare-names.ts";

/**
 * The time zones of regions that have only one, in countries with several, by country: zone, then the codes of its regions. `*` stands
 * for all other regions. By the regions that the IANA time zone database's zone.tab names, and for 97% of the towns in GeoNames.
 */
const ZONES: Readonly<Record<string, string>> = {
  AR: "America/Argentina/Buenos_Aires B | C; America/Argentina/Catamarca K | U; America/Argentina/Cordoba *; America/Argentina/Jujuy Y; America/Argentina/La_Rioja F; America/Argentina/Mendoza M; America/Argentina/Rio_Gallegos Z; America/Argentina/Salta A | L | Q | R; America/Argentina/San_Juan J; America/Argentina/San_Luis D; America/Argentina/Tucuman T; America/Argentina/Ushuaia V",
  AU: "Australia/Adelaide SA; Australia/Brisbane QLD; Australia/Darwin NT; Australia/Hobart TAS; Australia/Melbourne VIC; Australia/Perth WA; Australia/Sydney ACT | NSW",
  BR: "America/Araguaina TO; America/Bahia BA; America/Belem AP; America/Boa_Vista RR; America/Campo_Grande MS; America/Cuiaba MT; America/Fortaleza CE | MA | PB | PI | RN; America/Maceio AL | SE; America/Porto_Velho RO; America/Recife PE; America/Rio_Branco AC; America/Sao_Paulo DF | ES | GO | MG | PR | RJ | RS | SC | SP",
  CA: "America/Edmonton AB; America/Halifax PE; America/Moncton NB; America/Toronto ON | QC; America/Winnipeg MB",
  CD: "Africa/Kinshasa BC | EQ | KG | KL | KN | MN | MO | NU | SU | TU; Africa/Lubumbashi *",
  CL: "America/Coyhaique AI; America/Punta_Arenas MA; America/Santiago *",
  CN: "Asia/Shanghai AH | BJ | CQ | FJ | GD | GS | GX | GZ | HA | HB | HE | HI | HL | HN | JL | JS | JX | LN | NM | NX | QH | SC | SD | SH | SN | SX | TJ | XZ | YN | ZJ",
  CY: "Asia/Famagusta 06; Asia/Nicosia 02 | 05",
  DE: "Europe/Berlin *",
  EC: "America/Guayaquil *; Pacific/Galapagos W",
  ES: "Africa/Ceuta CE | ML; Atlantic/Canary CN; Europe/Madrid *",
  FM: "Pacific/Chuuk TRK | YAP; Pacific/Kosrae KSA; Pacific/Pohnpei PNI",
  GL: "America/Nuuk *",
  ID: "Asia/Jakarta *; Asia/Jayapura MA | MU | PA | PB | PD | PE | PS | PT; Asia/Makassar BA | GO | KI | KS | KU | NB | NT | SA | SG | SN | SR | ST; Asia/Pontianak KB | KT",
  KI: "Pacific/Kiritimati L; Pacific/Tarawa G",
  KZ: "Asia/Almaty *; Asia/Aqtau 47; Asia/Aqtobe 15; Asia/Atyrau 23; Asia/Oral 27; Asia/Qostanay 39; Asia/Qyzylorda 43",
  MH: "Pacific/Kwajalein KWA; Pacific/Majuro *",
  MN: "Asia/Hovd 043 | 046 | 071; Asia/Ulaanbaatar *",
  MX: "America/Cancun ROO; America/Hermosillo SON; America/Mazatlan BCS | SIN; America/Merida CAM | YUC; America/Mexico_City AGU | CHP | CMX | COL | GRO | GUA | HID | JAL | MEX | MIC | MOR | OAX | PUE | QUE | SLP | TAB | TLA | VER | ZAC; America/Monterrey DUR | NLE; America/Tijuana BCN",
  MY: "Asia/Kuala_Lumpur *; Asia/Kuching 12 | 13 | 15",
  NZ: "Pacific/Auckland *; Pacific/Chatham CIT",
  PG: "Pacific/Bougainville NSB; Pacific/Port_Moresby *",
  PS: "Asia/Gaza DEB | GZA | KYS | NGZ | RFH; Asia/Hebron *",
  PT: "Atlantic/Azores 20; Atlantic/Madeira 30; Europe/Lisbon *",
  RU: "Asia/Anadyr CHU; Asia/Barnaul AL | ALT; Asia/Chita ZAB; Asia/Irkutsk BU | IRK; Asia/Kamchatka KAM; Asia/Krasnoyarsk KK | KYA | TY; Asia/Magadan MAG; Asia/Novokuznetsk KEM; Asia/Novosibirsk NVS; Asia/Omsk OMS; Asia/Tomsk TOM; Asia/Vladivostok KHA | PRI | YEV; Asia/Yakutsk AMU; Asia/Yekaterinburg BA | CHE | KHM | ORE | PER | SVE | TYU | YAN; Europe/Astrakhan AST; Europe/Kaliningrad KGD; Europe/Kirov KIR; Europe/Moscow AD | ARK | BEL | BRY | CE | CU | DA | IN | IVA | KB | KC | KDA | KL | KLU | KO | KOS | KR | KRS | LEN | LIP | ME | MO | MOS | MOW | MUR | NEN | NGR | NIZ | ORL | PNZ | PSK | ROS | RYA | SE | SMO | SPE | STA | TA | TAM | TUL | TVE | VLA | VLG | VOR | YAR; Europe/Samara SAM | UD; Europe/Saratov SAR; Europe/Ulyanovsk ULY; Europe/Volgograd VGG",
  UA: "Europe/Kyiv *; Europe/Simferopol 40 | 43",
  US: "America/Chicago AL | AR | IA | IL | KS | LA | MN | MO | MS | OK | TX | WI; America/Denver CO | MT | NM | UT | WY; America/Detroit MI; America/Los_Angeles CA | NV | OR | WA; America/New_York CT | DC | DE | GA | MA | MD | ME | NC | NH | NJ | NY | OH | PA | RI | SC | VA | VT | WV; Pacific/Honolulu HI",
  UZ: "Asia/Samarkand *; Asia/Tashkent AN | FA | JI | NG | SI | TK | TO",
};

const KNOWN = new Map<string, ReadonlyMap<string, string>>();

/**
 * The time zone of a region.
 * @param country ISO 3166-1 alpha-2.
 * @param regionCode its ISO 3166-2 code, without the country.
 * @returns null if the region has several, or the country has only one.
 */
export function zoneOfRegion(country: string, regionCode: string): string | null {
  let zones = KNOWN.get(country);
  if (zones === undefined) {
    const parsed = parseNames(ZONES[country] ?? "");
    zones = new Map(parsed.flatMap(({ code: zone, names }) => names.map((name) => [name, zone] as const)));
    KNOWN.set(country, zones);
  }
  return zones.get(regionCode) ?? zones.get("*") ?? null;
}
