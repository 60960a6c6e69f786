import type { System, Output } from "../system/system.js";

/** Whether an output gets colours: a terminal does, unless NO_COLOR is set. */
export function hasColor(output: Output, system: System): boolean {
  const { NO_COLOR: noColor = "", TERM: terminal = "" } = system.environment;
  return output.isTerminal && noColor === "" && terminal !== "dumb";
}
