import { runCluster } from "./cluster.ts";

process.exitCode = await runCluster(process.env);
