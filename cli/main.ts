import { CommanderError } from "commander";
import { exitCodes } from "./system/exit-codes.js";
import { explainFailure } from "./report/failure.js";
import type { System } from "./system/system.js";
import { createProgram } from "./program.js";

/**
 * Runs the command line, e.g. `["check", "--fix"]`. Returns the exit code (see
 * {@link exitCodes}). Never throws.
 */
export async function main(
  args: readonly string[],
  system: System,
): Promise<number> {
  const result = { exitCode: 0 };
  const done = (exitCode: number): void => {
    result.exitCode = exitCode;
  };
  const program = createProgram(system, done, await describeTargets(args));
  try {
    await program.parseAsync(args, { from: "user" });
    return result.exitCode;
  } catch (error) {
    // After printing help or the version, Commander also throws, with code 0.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    }
    return explainFailure(error, "text", system);
  }
}

/** Lists the targets if the help of `generate` is asked for. */
async function describeTargets(args: readonly string[]): Promise<string> {
  const isAsked =
    args.some((word) => ["generate", "gen"].includes(word)) &&
    args.some((word) => ["help", "-h", "--help"].includes(word));
  if (!isAsked) return "";
  const { printTargets } = await import("./print-targets.js");
  return printTargets();
}
