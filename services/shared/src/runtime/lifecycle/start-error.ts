/** A reason not to start that the operator can fix: only its message is printed, exit status 1. */
export class StartError extends Error {
  override readonly name = "StartError";
}
