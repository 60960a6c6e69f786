import { normalizePath } from "../1-parse/load/import-path.js";
import type { LoadedDocument } from "../1-parse/load/load-documents.js";
import type { Program } from "../2-check/program/program.js";
import { defaultLintOptions } from "../lint/index.js";
import { createDiagnosePart, diagnoseWorkspace } from "./diagnose/diagnose.js";
import { findHover } from "./hover/find-hover.js";
import type {
  LanguageService,
  ServiceOptions,
  ServiceSettings,
} from "./model/language-service.js";
import { findDefinition, findTypeDefinition } from "./navigate/find-targets.js";
import { DocumentStore } from "./workspace/document-store.js";
import type { ProgramPart } from "./workspace/workspace.js";

export type * from "./model/language-service.js";
export type * from "./model/results.js";
export { tokenModifiers, tokenTypes } from "./model/results.js";

/** A document with what it is checked with. */
interface Asked {
  readonly part: ProgramPart;
  readonly program: Program;
  readonly document: LoadedDocument;
}

/** What has been built of the service so far. */
type Built = Pick<
  LanguageService,
  | "setDocument"
  | "closeDocument"
  | "reloadDocument"
  | "configure"
  | "diagnose"
  | "diagnoseAll"
  | "hover"
  | "definition"
  | "typeDefinition"
>;

/** Creates a language service. */
export function createLanguageService(options: ServiceOptions): Built {
  const { reader, ...given } = options;
  let settings: ServiceSettings = {
    entries: [],
    lint: defaultLintOptions,
    timestamp: "string",
    base: null,
    ...given,
  };
  const store = new DocumentStore(settings.entries, reader);
  const diagnosePart = createDiagnosePart();
  const diagnose = (part: ProgramPart): ReturnType<typeof diagnosePart> =>
    diagnosePart(part, settings.lint);
  const ask = <Answer>(
    path: string,
    otherwise: Answer,
    answer: (asked: Asked) => Answer,
  ): Answer => {
    const key = normalizePath(path);
    const part = store.workspace.partOf(key);
    const document = store.workspace.documentAt(key);
    if (part === null || document === null) return otherwise;
    return answer({ part, program: part.program, document });
  };
  const isFaulty = (part: ProgramPart): boolean =>
    [...diagnose(part).values()].some((each) =>
      each.some(({ severity }) => severity === "error"),
    );
  return {
    setDocument: (path, text) => store.set(path, text),
    closeDocument: (path) => store.close(path),
    reloadDocument: (path) => store.reload(path),
    configure(changed) {
      settings = { ...settings, ...changed };
      if (changed.entries) store.setEntries(changed.entries);
    },
    diagnose: (path) =>
      ask(
        path,
        [],
        ({ part }) => diagnose(part).get(normalizePath(path)) ?? [],
      ),
    diagnoseAll: () => diagnoseWorkspace(store.workspace, diagnose),
    hover: (path, offset) =>
      ask(path, null, ({ part, program, document }) => {
        const { lint, timestamp } = settings;
        const forms = isFaulty(part) ? null : { int64: lint.int64, timestamp };
        return findHover(program, document, offset, forms);
      }),
    definition: (path, offset) =>
      ask(path, [], ({ program, document }) =>
        findDefinition(program, document, offset),
      ),
    typeDefinition: (path, offset) =>
      ask(path, [], ({ program, document }) =>
        findTypeDefinition(program, document, offset),
      ),
  };
}
