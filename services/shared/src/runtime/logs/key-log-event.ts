import { z } from "zod";
import type { KeyEvent } from "../../domain/key-event.ts";

const event = <Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.strictObject({
    id: z.string().min(1),
    type: z.literal(type),
    keyId: z.string().min(1),
    version: z.int().positive(),
    at: z.string(),
    by: z.string(),
    data: z.strictObject(data),
  });

const keyEvent = z.discriminatedUnion("type", [
  event("KeyIssued", {
    kind: z.enum(["publishable", "secret"]),
    plan: z.string(),
    label: z.string(),
    origins: z.array(z.string()),
    keySha256: z.string().regex(/^[0-9a-f]{64}$/),
    display: z.string(),
  }),
  event("KeyPlanChanged", { plan: z.string() }),
  event("KeyOriginsChanged", { origins: z.array(z.string()) }),
  event("KeyLabelChanged", { label: z.string() }),
  event("KeyRevoked", { reason: z.string() }),
]);

/**
 * Checks what a log holds as an event.
 * @throws Error saying what is wrong, e.g. an event of a type that only a newer version knows.
 */
export function parseKeyEvent(value: unknown): KeyEvent {
  const parsed = keyEvent.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`not a key event: ${issue?.path.join(".")}: ${issue?.message}`);
}
