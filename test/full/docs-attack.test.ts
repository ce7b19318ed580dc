import { onAttackedDocs } from "../harness/docs-attack-suite.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onAttackedDocs(onEveryDeployment, { forms: 500, pages: 5_000 });
