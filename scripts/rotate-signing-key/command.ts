import type { Command } from "commander";
import { type CommandContext, type Perform, valueOption } from "../command-line.ts";

/** Adds `signing-key` to `rotate`. @param how see runRotate. */
export function addRotateSigningKey(
  rotate: Command,
  context: CommandContext,
  act: (perform: Perform) => void,
  how: { distribute?: () => Promise<void> } = {},
): void {
  rotate
    .command("signing-key")
    .summary("sign new keys with a new signing key; old keys keep working")
    .description(
      `Adds a new entry to the ring of signing keys, waits 3 s for every auth node to read it, and signs new keys with it. Existing \
keys keep working. No restart is needed.

Reads SIGNING_KEYS_FILE; default: signing-keys.json in DATA_DIR, as with start.`,
    )
    .addOption(
      valueOption(
        "--drop <id>",
        "instead, invalidate all keys that this entry signed, permanently: after it leaked, or if it is lost. They become bad_signature",
      ),
    )
    .action((options: { drop?: string }) =>
      act(async () => (await import("./run.ts")).runRotate(context, { ...options, ...how })),
    );
}
