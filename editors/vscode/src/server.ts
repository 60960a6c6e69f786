// The extension's own language server, which is `ridl lsp` without the
// other commands.
import { serveLanguage } from "../../../generator/cli/commands/lsp.js";
import { createNodeSystem } from "../../../generator/cli/node/node-system.js";

process.exitCode = await serveLanguage([], {}, createNodeSystem());
