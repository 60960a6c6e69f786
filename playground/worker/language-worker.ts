import { createLanguageService } from "../../generator/language-service/index.js";
import { defaultLintOptions } from "../../generator/lint/index.js";
import { generateFiles } from "./generate-files.js";
import { firstOptions, type LanguageApi } from "./language-api.js";
import { offer } from "./remote.js";

/** The language service and the generator over the same documents. */
function createApi(): LanguageApi {
  const texts = new Map<string, string>();
  let options = firstOptions;
  const service = createLanguageService({
    reader: { read: (path) => texts.get(path) ?? null },
  });
  return {
    ...service,
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
