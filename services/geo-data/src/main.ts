import { runServer } from "./serve/server.ts";

await runServer();
