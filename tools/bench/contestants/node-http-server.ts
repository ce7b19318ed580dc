import { createServer } from "node:http";

const RECORD = {
  ...{ ip: "203.0.113.77", country: "GB", countryName: "United Kingdom", continent: "EU", isEUCountry: false },
  ...{ region: "England", regionCode: "ENG", city: "London", timezone: "Europe/London", postalCode: null },
  ...{ latitude: "51.5143", longitude: "-0.0912", asn: 64496, asOrganization: "Example Networks Ltd" },
  ...{ currency: "GBP", languages: ["en"], metroCode: null },
};
/** A typical record of the service, in ASCII. */
const FIXED_BODY = JSON.stringify(RECORD);
const HEADERS = { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(FIXED_BODY) };

/** The cost of Node itself: a fixed response to every request. The argument is the port. */
createServer((_req, res) => void res.writeHead(200, HEADERS).end(FIXED_BODY)).listen(
  Number(process.argv[2]),
  "127.0.0.1",
);
