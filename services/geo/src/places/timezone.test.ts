import { expect } from "chai";
import { EMPTY_FINDING, type Finding } from "../schema/finding.ts";
import { placeTimezone } from "./merge.ts";

describe("the time zone of a place", () => {
  const berlin: Finding = { ...EMPTY_FINDING, country: "DE", latitude: 52.52, longitude: 13.4 };
  const stating = (timezone: string): Finding => ({ ...EMPTY_FINDING, country: "DE", timezone });

  const brussels: Finding = { ...EMPTY_FINDING, latitude: 50.85, longitude: 4.35 };

  const CASES: [what: string, country: string | null, findings: Finding[], zone: string | null, regionCode?: string][] =
    [
      ["the region's if the coordinates contradict the country", "AU", [brussels], "Australia/Brisbane", "QLD"],
      ["the country's only one if they do", "NC", [brussels], "Pacific/Noumea"],
      ["none if they do, and the region has several", "US", [brussels], null, "TN"],
      ["none if they do, and the region is unknown", "AU", [brussels], null],
      ["what a vendor states", "DE", [berlin, stating("Europe/Busingen")], "Europe/Busingen"],
      [
        "what the next vendor states if the first one states another country's",
        "DE",
        [stating("Asia/Tokyo"), stating("Europe/Busingen")],
        "Europe/Busingen",
      ],
      ["the nearest one if no vendor states a zone", "DE", [berlin], "Europe/Berlin"],
      ["the nearest one if a vendor states none that exists", "DE", [stating("Mars/Olympus"), berlin], "Europe/Berlin"],
      ["none without coordinates", "DE", [{ ...EMPTY_FINDING, country: "DE" }], null],
      [
        "what a vendor states if no country is known",
        null,
        [{ ...stating("Asia/Tokyo"), country: null }],
        "Asia/Tokyo",
      ],
      ["none for nothing", null, [], null],
    ];
  for (const [what, country, findings, zone, regionCode = null] of CASES)
    it(`is ${what}`, () => {
      const located = findings.find(({ latitude }) => latitude !== null);
      expect(placeTimezone(country, findings, located, regionCode)).to.equal(zone);
    });
});
