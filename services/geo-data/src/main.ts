import { runServer } from "./serve/run-server.ts";

await runServer();
