import { serveLanguage } from "./commands/lsp.js";
import { createNodeSystem } from "./node/node-system.js";

/**
 * Runs `ridl lsp` without flags. This file is bundled separately, because one
 * file loads faster than the many files that commands share. Returns the exit
 * code.
 */
export function serve(): Promise<number> {
  return serveLanguage([], {}, createNodeSystem());
}
