import { FileError, type System, UsageError } from "../system/system.js";
import { exitCodes } from "../system/exit-codes.js";
import { type Format, report } from "./report.js";

/** Reports the error that ended a command. Returns the exit code. */
export function explainFailure(
  error: unknown,
  format: Format,
  system: System,
): number {
  if (error instanceof UsageError) {
    const help = error.help === null ? "" : `  = help: ${error.help}\n`;
    system.stderr.write(`error: ${error.message}\n${help}`);
    return exitCodes.usage;
  }
  if (error instanceof FileError) {
    const { message, help } = error;
    const fault = { code: "file-access", severity: "error", message } as const;
    report([help === null ? fault : { ...fault, help }], format, system);
    return exitCodes.failure;
  }
  system.stderr.write(describeCrash(error, system));
  return exitCodes.crash;
}

/** Asks for a bug report and prints what it should contain. */
function describeCrash(error: unknown, system: System): string {
  const trace =
    error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return [
    "error: ridl crashed. This is a bug in ridlkit, not in your documents.",
    "  = help: please report it with the lines below and, if possible, your documents",
    "",
    `    ridlkit ${system.version}, ${system.platform}`,
    ...trace.split("\n").map((line) => `    ${line}`),
    "",
  ].join("\n");
}
