import { readFileSync } from "node:fs";
import { expect } from "chai";
import { subdivisionsOf } from "./subdivisions.ts";
import { currentRegionCode, withdrawnCodesOf } from "./withdrawn-codes.ts";

/** Each country's codes, in iso3166-2 1.8.2 of February 2026 (MIT), https://github.com/amckenna41/iso3166-2. */
const INDEPENDENT = new Map(
  readFileSync(new URL("../testing/iso-3166-2.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, 2), line.slice(3).split(" ")] as const),
);
const NOWHERE = { city: null, latitude: null, longitude: null };
const at = (latitude: number, longitude: number) => ({ city: null, latitude, longitude });

/** Changes in the words of ISO's Online Browsing Platform: "from AA-1 to AA-2". */
const CHANGES: readonly string[] = [
  "Change of subdivision code from PL-DS to PL-02, PL-KP to PL-04, PL-LB to PL-08, PL-LD to PL-10, PL-LU to PL-06, PL-MA to PL-12, PL-MZ to PL-14, PL-OP to PL-16, PL-PD to PL-20, PL-PK to PL-18, PL-PM to PL-22, PL-SK to PL-26, PL-SL to PL-24, PL-WN to PL-28, PL-WP to PL-30 and PL-ZP to PL-32",
  "Change of subdivision code from ZA-GT to ZA-GP, ZA-NL to ZA-KZN",
  "Change of subdivision code from EE-44 to EE-45, EE-49 to EE-50, EE-51 to EE-52, EE-57 to EE-56, EE-59 to EE-60, EE-65 to EE-64, EE-67 to EE-68, EE-70 to EE-71, EE-78 to EE-79, EE-82 to EE-81, EE-86 to EE-87",
  "Change of subdivision code from FR-COR to FR-20R, FR-GUA to FR-971, FR-LRE to FR-974, FR-MAY to FR-976",
  "Change of subdivision code from FR-75 to FR-75C",
  "Change of subdivision code from GT-AV to GT-16, GT-BV to GT-15, GT-CM to GT-04, GT-CQ to GT-20, GT-ES to GT-05, GT-GU to GT-01, GT-HU to GT-13, GT-IZ to GT-18, GT-JA to GT-21, GT-JU to GT-22, GT-PE to GT-17, GT-PR to GT-02, GT-QC to GT-14, GT-QZ to GT-09, GT-RE to GT-11, GT-SA to GT-03, GT-SM to GT-12, GT-SO to GT-07, GT-SR to GT-06, GT-SU to GT-10, GT-TO to GT-08, GT-ZA to GT-19",
  "Change of subdivision code from KZ-ALA to KZ-75, KZ-AST to KZ-71, KZ-SHY to KZ-79, KZ-AKM to KZ-11, KZ-AKT to KZ-15, KZ-ATY to KZ-23, KZ-MAN to KZ-47, KZ-SEV to KZ-59, KZ-YUZ to KZ-61, KZ-PAV to KZ-55, KZ-KUS to KZ-39, KZ-KZY to KZ-43, KZ-ZAP to KZ-27, KZ-ZHA to KZ-31",
  "Change of subdivision code from IN-OR to IN-OD, from IN-CT to IN-CG, from IN-TG to IN-TS, from IN-UT to IN-UK",
  "Correction of subdivision code from IT-SD to IT-SU",
  "Change of subdivision code from MK-02 to MK-802, MK-03 to MK-201, MK-04 to MK-501, MK-05 to MK-401, MK-06 to MK-601, MK-07 to MK-402, MK-08 to MK-602, MK-10 to MK-403, MK-11 to MK-404, MK-12 to MK-301, MK-13 to MK-101, MK-14 to MK-202, MK-16 to MK-603, MK-18 to MK-405, MK-19 to MK-604, MK-20 to MK-102, MK-21 to MK-303, MK-22 to MK-304, MK-23 to MK-203, MK-24 to MK-103, MK-25 to MK-502, MK-26 to MK-406, MK-27 to MK-503, MK-30 to MK-605, MK-32 to MK-806, MK-33 to MK-204, MK-34 to MK-807, MK-35 to MK-606, MK-36 to MK-104, MK-37 to MK-205, MK-40 to MK-307, MK-41 to MK-407, MK-42 to MK-206, MK-43 to MK-701, MK-44 to MK-702, MK-45 to MK-504, MK-46 to MK-505, MK-47 to MK-703, MK-48 to MK-704, MK-49 to MK-105, MK-50 to MK-607, MK-51 to MK-207, MK-52 to MK-308, MK-53 to MK-506, MK-54 to MK-106, MK-55 to MK-507, MK-56 to MK-408, MK-58 to MK-310, MK-59 to MK-810, MK-60 to MK-208, MK-61 to MK-311, MK-62 to MK-508, MK-63 to MK-209, MK-64 to MK-409, MK-65 to MK-705, MK-66 to MK-509, MK-67 to MK-107, MK-69 to MK-108, MK-70 to MK-812, MK-71 to MK-706, MK-72 to MK-312, MK-73 to MK-410, MK-74 to MK-813, MK-75 to MK-608, MK-76 to MK-609, MK-78 to MK-313, MK-80 to MK-109, MK-81 to MK-210, MK-82 to MK-816, MK-83 to MK-211",
];

describe("codes of ISO 3166-2", () => {
  it("are those of a list that nothing else uses, with reviewed differences", () => {
    const ours = [...INDEPENDENT.keys()].flatMap((country) =>
      subdivisionsOf(country).map(({ code }) => `${country}-${code}`),
    );
    const theirs = [...INDEPENDENT].flatMap(([country, codes]) => codes.map((code) => `${country}-${code}`));
    // It lacks Norway's counties of 2024.
    expect(ours.filter((code) => !theirs.includes(code))).to.deep.equal([
      "NO-31",
      "NO-32",
      "NO-33",
      "NO-39",
      "NO-40",
      "NO-55",
      "NO-56",
    ]);
    // Geographical units of Indonesia contain the provinces, which have codes of their own.
    const unused = "ID-JW ID-KA ID-ML ID-NU ID-PP ID-SL ID-SM NO-30 NO-38 NO-54".split(" ");
    expect(theirs.filter((code) => !ours.includes(code)).sort()).to.deep.equal(unused);
  });

  it("that were withdrawn aren't in force, and their successors are", () => {
    for (const country of INDEPENDENT.keys()) {
      const inForce = new Set(subdivisionsOf(country).map(({ code }) => code));
      for (const [old, successor] of withdrawnCodesOf(country)) {
        expect(inForce.has(old), `${country}-${old}`).to.equal(false);
        if (typeof successor === "string") expect(inForce.has(successor), `${country}-${successor}`).to.equal(true);
      }
    }
  });

  for (const change of CHANGES)
    it(`follow each: ${change.slice(0, 60)}…`, () => {
      const pairs = [...change.matchAll(/([A-Z]{2})-(\w+) to [A-Z]{2}-(\w+)/g)];
      expect(pairs).to.not.be.empty;
      for (const [text, country = "", old = "", current] of pairs)
        expect(currentRegionCode(country, old, NOWHERE), text).to.equal(current);
    });

  /** Places, and the counties that Kartverket's map (norgeskart.no) shows there; the Ghanaian, Kazakh and Nepalese ones by GeoNames. */
  const places: [country: string, old: string, name: string, latitude: number, longitude: number, today: string][] = [
    ["NO", "30", "Fornebu", 59.9, 10.62, "32"],
    ["NO", "30", "Drammen", 59.74, 10.2, "33"],
    ["NO", "30", "Fredrikstad", 59.22, 10.95, "31"],
    ["NO", "38", "Tønsberg", 59.27, 10.41, "39"],
    ["NO", "38", "Skien", 59.21, 9.61, "40"],
    ["NO", "54", "Tromsø", 69.65, 18.96, "55"],
    ["NO", "54", "Alta", 69.97, 23.27, "56"],
    ["GH", "BA", "Sunyani", 7.34, -2.33, "BO"],
    ["GH", "BA", "Techiman", 7.58, -1.94, "BE"],
    ["KZ", "VOS", "Semey", 50.42, 80.25, "10"],
    ["NP", "GA", "Pokhara", 28.27, 83.97, "P4"],
  ];
  for (const [country, old, name, latitude, longitude, today] of places)
    it(`that became several regions are decided by the place: ${name}`, () => {
      expect(currentRegionCode(country, old, at(latitude, longitude))).to.equal(today);
      expect(currentRegionCode(country, old, NOWHERE)).to.equal(null);
    });

  it("that are in force stay as they are, and so do others", () => {
    for (const [country, code] of [
      ["US", "WA"],
      ["NO", "03"],
      ["IR", "01"],
      ["XX", "ZZ"],
    ] as const)
      expect(currentRegionCode(country, code, NOWHERE)).to.equal(code);
  });
});
