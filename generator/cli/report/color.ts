import type { CliHost, Output } from "../host.js";

/** Whether an output gets colours: a terminal does, unless NO_COLOR is set. */
export function hasColor(output: Output, host: CliHost): boolean {
  const { NO_COLOR: noColor = "", TERM: terminal = "" } = host.environment;
  return output.isTerminal && noColor === "" && terminal !== "dumb";
}
