import { startCluster } from "../harness/cluster.ts";
import { onChangingGeoData } from "../harness/geo-data-suite.ts";
import { startStandalone } from "../harness/standalone.ts";

onChangingGeoData(["standalone", startStandalone]);
onChangingGeoData(["cluster", startCluster]);
