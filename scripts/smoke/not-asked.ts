/** A point that could not be asked; the message says why. */
export class NotAsked extends Error {
  override readonly name = "NotAsked";
}
