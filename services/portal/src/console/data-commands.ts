/** A command that changes the data: look for newer data, or switch to a version that is kept. */
export type DataCommand = { update: true } | { version: string };

/** The latest command that was started from the console. */
export interface DataJob {
  command: DataCommand;
  state: "running" | "succeeded" | "failed";
  /** What it printed, its last lines. */
  lines: readonly string[];
}

/** Changes the data, where the process that runs the console can. */
export interface DataCommands {
  /** Starts a command. @returns false while another one is running. */
  start(command: DataCommand): boolean;
  /** Null before the first command. */
  job(): DataJob | null;
}
