import { expect } from "chai";
import maxmind, { type Reader } from "maxmind";
import { SCHEMA_FIXTURES, writeSchemas } from "../fixtures/schemas.ts";
import type { Deployment, IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const files = writeSchemas(tempFolder());

// biome-ignore lint/suspicious/noExplicitAny: each vendor's layout is its own
type Raw = any;

/** The fields in a record that `maxmind` reads, for the layouts of nested maps, flat maps and networks. */
function rawFields(raw: Raw): Record<string, unknown> {
  const decimal = (value: number | undefined) => (value === undefined ? undefined : Number(value.toFixed(4)));
  const [region] = raw.subdivisions ?? [];
  return {
    country: raw.country?.iso_code ?? raw.country_code,
    countryName: raw.country?.names?.en ?? (typeof raw.country === "string" ? raw.country : undefined),
    continent: raw.continent?.code ?? raw.continent_code,
    region: region?.names.en ?? raw.state1,
    regionCode: region?.iso_code,
    city: raw.city?.names?.en ?? raw.city,
    timezone: raw.location?.time_zone ?? raw.timezone,
    postalCode: raw.postal?.code ?? raw.postcode,
    latitude: decimal(raw.location?.latitude ?? raw.latitude),
    longitude: decimal(raw.location?.longitude ?? raw.longitude),
    asn: raw.autonomous_system_number ?? raw.traits?.autonomous_system_number ?? (raw.asn && Number(raw.asn.slice(2))),
    asOrganization: raw.autonomous_system_organization ?? raw.traits?.autonomous_system_organization ?? raw.as_name,
    metroCode: raw.location?.metro_code,
  };
}

onOneDeploymentWith(
  { GEO_DATABASES: files.join(",") },
  "field for field, the record equals the database",
  (deployment) => {
    let paid: IssuedKey;
    let readers: Reader<Raw>[];
    before(async () => {
      paid = await deployment().sharedKey();
      readers = await Promise.all(files.map((file) => maxmind.open<Raw>(file)));
    });

    for (const [index, { name, address, expected }] of SCHEMA_FIXTURES.entries()) {
      it(`${name}: all 17 fields, with the values that the maxmind library reads`, async () => {
        const record = await recordOf(deployment(), paid, address);
        expect(record).to.deep.equal({ ip: address, ...expected });
        const raw = rawFields(readers[index]?.get(address));
        expect(Object.values(raw).filter((value) => value !== undefined)).to.not.be.empty;
        for (const [field, value] of Object.entries(raw)) {
          if (value === undefined || value === "") continue;
          const shown = typeof value === "number" && field !== "asn" ? Number(record[field]) : record[field];
          expect(shown, field).to.equal(value);
        }
      });
    }

    it("IPv4 and IPv6 addresses aren't mixed up in files for the other", async () => {
      // 2e09::/16 starts with the bits of 46.9.0.0/16; 42.14.70.9 with those of 2a0e:4609::/32.
      for (const address of ["2e09:909::1", "42.14.70.9"])
        expect(await recordOf(deployment(), paid, address)).to.include({ country: null, city: null, partial: true });
    });
  },
);

async function recordOf(deployment: Deployment, { key }: IssuedKey, from: string) {
  return expectRecord(await deployment.send({ ...keyed(key), from }));
}
