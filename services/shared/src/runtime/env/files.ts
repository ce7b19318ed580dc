import { readFileSync } from "node:fs";
import { z } from "zod";

/** The path of a file that can be read now and isn't empty. */
export const readableFile = () => fileThat("must name a file that is not empty", (text) => text.trim() !== "");

/** The path of a PEM file that can be read now; its content is checked when it is used. */
export const pemFile = () => fileThat("must name a PEM file", (text) => text.includes("-----BEGIN "));

function fileThat(must: string, isRight: (text: string) => boolean) {
  return z.string().superRefine((path, context) => {
    let message = must;
    try {
      if (isRight(readFileSync(path, "utf8"))) return;
    } catch (error) {
      message = `cannot be read: ${(error as Error).message}`;
    }
    context.addIssue({ code: "custom", message });
  });
}
