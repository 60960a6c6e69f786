// The language server that comes with the extension: `ridl lsp` alone.
import { serveLanguage } from "../../../generator/cli/commands/lsp.js";
import { createNodeSystem } from "../../../generator/cli/node/node-system.js";

process.exitCode = await serveLanguage([], {}, createNodeSystem());
