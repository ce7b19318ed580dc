import { startCluster } from "../harness/cluster.ts";
import { onChangingGeoData } from "../harness/geo-data-suite.ts";

onChangingGeoData(["cluster", startCluster]);
