import { createServer } from "node:http";
import { announce } from "./announce.ts";

/** A typical record of the service. */
const RECORD = {
  ...{ ip: "203.0.113.77", country: "GB", countryName: "United Kingdom", continent: "EU", isEUCountry: false },
  ...{ region: "England", regionCode: "ENG", city: "London", timezone: "Europe/London", postalCode: null },
  ...{ latitude: "51.5143", longitude: "-0.0912", asn: 64496, asOrganization: "Example Networks Ltd" },
  ...{ currency: "GBP", languages: ["en"], metroCode: null },
};
const BODY = JSON.stringify(RECORD);

const HEADERS = { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(BODY) };

/** The cost of Node itself: a fixed response to every request. */
announce(createServer((_req, res) => void res.writeHead(200, HEADERS).end(BODY)));
