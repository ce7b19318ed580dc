import { parseNames } from "./compare-names.ts";
import { type DividedRegion, dividedCodesOf, type Whereabouts } from "./divided-name.ts";

/**
 * Codes that ISO 3166-2 has withdrawn since 2018, and their successors, by country: the code of today, then the old ones. Those that became
 * several regions are in `divided-names.ts`. From the change history in ISO's Online Browsing Platform
 * (https://www.iso.org/obp/ui/#iso:code:3166:NO), as collected by https://github.com/amckenna41/iso3166-updates (1.8.7, June 2026); Norway's
 * of 2024 from Statistics Norway (https://www.ssb.no/en/klass/klassifikasjoner/104), Latvia's of 2021 by the law on administrative
 * territories (https://likumi.lv/ta/en/en/id/315654), Mauritius' towns by their districts.
 *
 * Missing are codes that mean another region today (all of Iran's of 2020, Morocco's 01 to 12 of 2018): nothing distinguishes them. So are
 * those whose regions have no successors in ISO 3166-2 or none that GeoNames' towns show (the Maldives' provinces, Skopje in
 * North Macedonia, São Tomé): addresses there have no code.
 */
const SUCCESSORS: Readonly<Record<string, string>> = {
  CZ: "10 101 | 102 | 103 | 104 | 105 | 106 | 107 | 108 | 109 | 110 | 111 | 112 | 113 | 114 | 115 | 116 | 117 | 118 | 119 | 120 | 121 | 122",
  EE: "45 44; 50 49; 52 51; 56 57; 60 59; 64 65; 68 67; 71 70; 79 78; 81 82; 87 86",
  FR: "20R COR; 75C 75; 971 GP | GUA; 972 MQ; 973 GF; 974 RE | LRE; 976 YT | MAY",
  GB: "ENG BMH | POL | NTH",
  GT: "01 GU; 02 PR; 03 SA; 04 CM; 05 ES; 06 SR; 07 SO; 08 TO; 09 QZ; 10 SU; 11 RE; 12 SM; 13 HU; 14 QC; 15 BV; 16 AV; 17 PE; 18 IZ; 19 ZA; 20 CQ; 21 JA; 22 JU",
  IN: "CG CT; DH DD | DN; OD OR; TS TG; UK UT",
  IT: "23 AO; 88 CI | OG | OT | VS; SU SD",
  KZ: "11 AKM; 15 AKT; 23 ATY; 27 ZAP; 31 ZHA; 39 KUS; 43 KZY | BAY; 47 MAN; 55 PAV; 59 SEV; 61 YUZ; 71 AST; 75 ALA; 79 SHY",
  LV: "002 038 | 046 | 065 | 072 | 092; 011 020; 015 014 | 082 | 108; 016 034 | 083 | 105; 022 008 | 039 | 055 | 070 | 075 | 104; 026 010 | 098; 041 069; 042 004 | 049 | 085 | 107 | JKB; 047 024; 050 006 | 093; 052 013; 054 005 | 086; 056 023 | 044 | 110; 059 021 | 030 | 057; 062 012; 067 035 | 051 | 053; 073 001 | 078 | 103; 077 109; 080 031 | 095; 088 018; 089 090; 091 037 | 048 | 061; 094 009 | 076; 097 027 | 063 | 079; 099 029 | 040 | 043; 111 025 | 036; 112 003 | 028 | 032 | 066 | 071 | 074 | 081 | 100; 113 017 | 019 | 045 | 060 | 064 | 084 | 096 | VMR",
  MA: "11 15; 12 16",
  MK: "101 13; 102 20; 103 24; 104 36; 105 49; 106 54; 107 67; 108 69; 109 80; 201 03; 202 14; 203 23; 204 33; 205 37; 206 42; 207 51; 208 60; 209 63; 210 81; 211 83; 301 12; 303 21; 304 22; 307 40; 308 52; 310 58; 311 61; 312 72; 313 78; 401 05; 402 07; 403 10; 404 11; 405 18; 406 26; 407 41; 408 56; 409 64; 410 73; 501 04; 502 25; 503 27; 504 45; 505 46; 506 53; 507 55; 508 62; 509 66; 601 06; 602 08; 603 16; 604 19; 605 30; 606 35; 607 50; 608 75; 609 76; 701 43; 702 44; 703 47; 704 48; 705 65; 706 71; 802 02; 806 32; 807 34; 810 59; 812 70; 813 74; 816 82",
  MU: "PL PU; PW BR | CU | QB | VP",
  NO: "31 01; 32 02; 33 06; 34 04 | 05; 39 07; 40 08; 42 09 | 10; 46 12 | 14; 50 16 | 17 | 23; 55 19; 56 20",
  PH: "14 MAG",
  PK: "KP TA",
  PL: "02 DS; 04 KP; 06 LU; 08 LB; 10 LD; 12 MA; 14 MZ; 16 OP; 18 PK; 20 PD; 22 PM; 24 SL; 26 SK; 28 WN; 30 WP; 32 ZP",
  ZA: "GP GT; KZN NL",
};

const KNOWN = new Map<string, ReadonlyMap<string, string | DividedRegion>>();

/** A country's withdrawn codes, each with its successor, or the regions that became its successors. */
export function withdrawnCodesOf(country: string): ReadonlyMap<string, string | DividedRegion> {
  let codes = KNOWN.get(country);
  if (codes === undefined) {
    const renamed = parseNames(SUCCESSORS[country] ?? "").flatMap(({ code, names }) =>
      names.map((old) => [old, code] as const),
    );
    codes = new Map<string, string | DividedRegion>([...renamed, ...dividedCodesOf(country)]);
    KNOWN.set(country, codes);
  }
  return codes;
}

/**
 * Today's code of a region.
 * @param country ISO 3166-1 alpha-2.
 * @param code as a vendor or an operator writes it, without the country.
 * @returns the same code unless it was withdrawn; null if it was, and nothing tells which of its successors is meant.
 */
export function currentRegionCode(country: string, code: string, place: Whereabouts): string | null {
  const successor = withdrawnCodesOf(country).get(code);
  if (successor === undefined || typeof successor === "string") return successor ?? code;
  return successor.codeAt(place, null);
}
