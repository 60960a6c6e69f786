import type { System, Output } from "../system/system.js";

/**
 * Whether an output gets colors. By default, only terminals do. NO_COLOR turns
 * colors off, and FORCE_COLOR turns them on without a terminal, e.g. in CI.
 */
export function hasColor(output: Output, system: System): boolean {
  const {
    NO_COLOR: noColor = "",
    FORCE_COLOR: forced = "",
    TERM: terminal = "",
  } = system.environment;
  if (noColor !== "" || forced === "0" || forced === "false") return false;
  return forced !== "" || (output.isTerminal && terminal !== "dumb");
}
