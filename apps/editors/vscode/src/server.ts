// The extension's own language server, which is `ridl lsp` without the
// other commands.
import { serveLanguage } from "../../../../cli/commands/lsp.js";
import { createNodeSystem } from "../../../../cli/node/node-system.js";

process.exitCode = await serveLanguage([], {}, createNodeSystem());
