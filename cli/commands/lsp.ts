import { serveEditors } from "../../tools/editor/lsp/serve-editors.js";
import { createEditorProjects } from "../project/editor-projects.js";
import { exitCodes } from "../system/exit-codes.js";
import type { System } from "../system/system.js";

/** Flags of `ridl lsp`. */
export interface LspFlags {
  /** A configuration file for all documents. */
  readonly config?: string;
}

/**
 * `ridl lsp`: serves the Language Server Protocol on standard input and output.
 * It fails if the editor disconnects without a `shutdown` request.
 */
export async function serveLanguage(
  _: readonly string[],
  { config }: LspFlags,
  system: System,
): Promise<number> {
  const isFarewell = await serveEditors(
    createEditorProjects(system, config),
    system.openStreams(),
  );
  return isFarewell ? exitCodes.success : exitCodes.failure;
}
