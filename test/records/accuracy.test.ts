import { join } from "node:path";
import { expect } from "chai";
import { writeDatabase } from "../fixtures/databases.ts";
import { cityRecord } from "../fixtures/places.ts";
import { keyed } from "../harness/slots.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const file = join(tempFolder(), "city.mmdb");
const linz = cityRecord({ continent: "EU", country: "AT", countryName: "Austria", city: "Linz" });
writeDatabase(file, {
  databaseType: "GeoIP2-City",
  entries: [
    ["46.64.0.0/16", { ...linz, location: { latitude: 48.3, longitude: 14.3, accuracy_radius: 20 } }],
    ["46.65.0.0/16", linz],
  ],
});

onOneDeploymentWith({ GEO_DATABASES: file, ACCURACY_HEADER: "on" }, "how exact a location is", (deployment) => {
  const headersFor = async (from: string) => (await deployment().send({ from })).headers;

  it("is in a header that pages can read, where the database says it", async () => {
    const headers = await headersFor("46.64.1.1");
    expect(headers["x-geolookup-accuracy"]).to.match(/^radius=20(; built=\d{4}-\d\d-\d\d)?$/);
    expect(headers["access-control-expose-headers"]).to.match(/, X-Geolookup-Accuracy(,|$)/);
    const { key } = await deployment().sharedKey();
    const { headers: ofKey } = await deployment().send({ ...keyed(key), from: "46.64.1.1" });
    expect(ofKey["x-geolookup-accuracy"]).to.equal(headers["x-geolookup-accuracy"]);
  });

  it("is absent where nothing is known", async () => {
    expect(await headersFor("10.0.0.1")).to.not.have.property("x-geolookup-accuracy");
  });
});
