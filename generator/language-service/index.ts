import { DocumentService } from "./document-service.js";
import type {
  LanguageService,
  ServiceOptions,
} from "./model/language-service.js";

export type * from "./model/language-service.js";
export type * from "./model/results.js";
export { tokenModifiers, tokenTypes } from "./model/results.js";

/** Creates a language service. It reads nothing before the first question. */
export function createLanguageService(
  options: ServiceOptions,
): LanguageService {
  return new DocumentService(options);
}
