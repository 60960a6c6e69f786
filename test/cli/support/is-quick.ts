import { createNodeSystem } from "../../../cli/node/node-system.js";
import { generateQuickly } from "../../../cli/quick.js";
import type { Sandbox } from "./sandbox.js";

/**
 * Returns whether a run in the sandbox takes the shortcut for unchanged
 * projects.
 */
export function isQuick(sandbox: Sandbox): boolean {
  const stdout = { isTerminal: false, write: () => {} };
  return generateQuickly(
    createNodeSystem({ workingFolder: sandbox.root, stdout }),
  );
}
