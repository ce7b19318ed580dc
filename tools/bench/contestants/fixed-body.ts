const RECORD = {
  ...{ ip: "203.0.113.77", country: "GB", countryName: "United Kingdom", continent: "EU", isEUCountry: false },
  ...{ region: "England", regionCode: "ENG", city: "London", timezone: "Europe/London", postalCode: null },
  ...{ latitude: "51.5143", longitude: "-0.0912", asn: 64496, asOrganization: "Example Networks Ltd" },
  ...{ currency: "GBP", languages: ["en"], metroCode: null },
};
/** The body that servers without lookups respond with: a typical record of the service, in ASCII. */
export const FIXED_BODY = JSON.stringify(RECORD);
