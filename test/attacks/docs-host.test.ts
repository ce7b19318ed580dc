import { onAttackedDocs } from "../harness/docs-attack-suite.ts";
import { onOneDeployment } from "../harness/suite.ts";

// More forms than version 0.1 had connections to the portal; with the pages, more than MAX_IN_FLIGHT.
onAttackedDocs(onOneDeployment, { forms: 300, pages: 1_800 });
