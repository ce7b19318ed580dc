import { onChangingGeoData } from "../harness/geo-data-suite.ts";
import { startStandalone } from "../harness/standalone.ts";

// test/full does the same to a cluster.
onChangingGeoData(["standalone", startStandalone]);
