import { join } from "node:path";
import { runProgram } from "../../scripts/run-command.ts";
import { updateDigests } from "./update-digests.ts";

await runProgram("update-digests", (program, { printError }, act) => {
  program
    .description(
      `Pins every image in infra/images.env to the digest that its tag has now, and updates the copies in infra/Dockerfile and \
docker-compose.yml. Needs Docker with buildx. Nothing is written unless the digests of all images are available.`,
    )
    .option("--copies", "only update the copies, without Docker")
    .option("--unpin", "remove the digests, for engines that can't pull")
    .action(({ copies, unpin }: { copies?: boolean; unpin?: boolean }) =>
      act(async () => {
        await updateDigests({
          root: join(import.meta.dirname, "../.."),
          digests: unpin ? "none" : copies ? "keep" : "registries",
          say: (line) => printError(`update-digests: ${line}\n`),
        });
        return 0;
      }),
    );
});
