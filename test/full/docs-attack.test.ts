import { onAttackedDocs } from "../harness/docs-attack-suite.ts";

onAttackedDocs({ forms: 500, pages: 5_000 });
