/** A startup failure that the operator can fix: only its message is printed, and the exit status is 1. */
export class StartError extends Error {
  override readonly name = "StartError";
}
