import { LanguageService } from "../../../tools/editor/service/language-service.js";
import { defaultLintOptions } from "../../../generator/lint/index.js";
import { generateFiles } from "./generate-files.js";
import { firstOptions, type LanguageApi } from "./language-api.js";
import { offer } from "./remote.js";

/** Creates the language service and the generator for the same documents. */
function createApi(): LanguageApi {
  const texts = new Map<string, string>();
  let options = firstOptions;
  const service = new LanguageService({
    reader: { read: (path) => texts.get(path) ?? null },
  });
  return {
    codeActions: (path, span) => service.codeActions(path, span),
    complete: (path, offset) => service.complete(path, offset),
    definition: (path, offset) => service.definition(path, offset),
    diagnoseAll: () => service.diagnoseAll(),
    format: (path) => service.format(path),
    hover: (path, offset) => service.hover(path, offset),
    prepareRename: (path, offset) => service.prepareRename(path, offset),
    references: (path, offset, withDeclaration) =>
      service.references(path, offset, withDeclaration),
    rename: (path, offset, name) => service.rename(path, offset, name),
    semanticTokens: (path) => service.semanticTokens(path),
    signatureHelp: (path, offset) => service.signatureHelp(path, offset),
    setDocument(path, text) {
      texts.set(path, text);
      service.setDocument(path, text);
    },
    closeDocument(path) {
      texts.delete(path);
      service.closeDocument(path);
    },
    choose(chosen) {
      options = chosen;
      const { int64, timestamp } = chosen;
      service.configure({ timestamp, lint: { ...defaultLintOptions, int64 } });
    },
    generate: () => generateFiles(texts, options),
  };
}

offer(createApi());
