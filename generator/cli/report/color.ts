import type { System, Output } from "../system/system.js";

/**
 * Whether an output gets colors. A terminal does by default. NO_COLOR turns
 * them off, and FORCE_COLOR turns them on without a terminal, such as in CI.
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
