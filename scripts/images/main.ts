import { join } from "node:path";
import { readArguments } from "../command-line.ts";
import { runCommand } from "../run-command.ts";
import { updateDigests } from "./update-digests.ts";

const HELP = `Usage: make update-digests [ARGS=--copies | ARGS=--unpin]

Pins every image in infra/images.env to the digest that its tag has now, and updates the copies in infra/Dockerfile and
docker-compose.yml. Nothing is written unless every registry responds.

  --copies  only update the copies, without a registry
  --unpin   remove the digests, for engines that can't pull
`;

await runCommand("update-digests", HELP, async ({ args, printError }) => {
  const { values } = readArguments(args, { copies: { type: "boolean" }, unpin: { type: "boolean" } }, 0);
  await updateDigests({
    root: join(import.meta.dirname, "../.."),
    digests: values.unpin ? "none" : values.copies ? "keep" : "registries",
    timeoutMs: 30_000,
    say: (line) => printError(`update-digests: ${line}\n`),
  });
  return 0;
});
