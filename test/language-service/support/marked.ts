import { LanguageService } from "../../../tools/editor/service/language-service.js";
import type { ServiceOptions } from "../../../tools/editor/service/model/settings.js";
import { loadDocuments } from "../../../generator/1-parse/load/load-documents.js";
import { compileContract } from "../../../generator/compile.js";
import { isLintCode } from "../../../generator/diagnostics/catalog.js";
import { defaultLintOptions } from "../../../generator/lint/index.js";
import { contractWideLintRules } from "../../../generator/lint/rules/index.js";
import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";

/** The character that marks the cursor. */
export const cursor = "§";

/** A service with open documents, and the cursor in one of them. */
export interface Marked {
  readonly service: LanguageService;
  readonly path: string;
  readonly offset: number;
  /** The documents without the cursor mark. */
  readonly texts: ReadonlyMap<string, string>;
  /** Returns the text at a location. */
  textAt(place: {
    readonly path: string;
    readonly span: { readonly start: number; readonly end: number };
  }): string;
}

/** Starts a service in which all documents are open and listed. */
export function openMarked(
  documents: Readonly<Record<string, string>>,
  options: Partial<ServiceOptions> = {},
): Marked {
  const [path = "", marked = ""] =
    Object.entries(documents).find(([, text]) => text.includes(cursor)) ??
    Object.entries(documents)[0] ??
    [];
  const texts = new Map(
    Object.entries(documents).map(([each, text]) => [
      each,
      text.replace(cursor, ""),
    ]),
  );
  const service = new LanguageService({
    reader: { read: () => null },
    entries: [...texts.keys()],
    ...options,
  });
  for (const [each, text] of texts) service.setDocument(each, text);
  return {
    service,
    path,
    offset: Math.max(0, marked.indexOf(cursor)),
    texts,
    textAt: ({ path: at, span }) =>
      texts.get(at)?.slice(span.start, span.end) ?? "",
  };
}

/**
 * Returns the code and location of each finding of `ridl check`. Although `ridl
 * check` does not lint documents if there are errors, the result includes lint
 * findings about documents that the errors cannot affect.
 */
export function checkAll(
  texts: ReadonlyMap<string, string>,
  entries: readonly string[] = [...texts.keys()],
): readonly string[] {
  const reader = { read: (path: string) => texts.get(path) ?? null };
  const check = (paths: readonly string[]): readonly Diagnostic[] =>
    compileContract(paths, reader, defaultLintOptions).diagnostics;
  const seenFrom = (paths: readonly string[]): readonly string[] => [
    ...loadDocuments(paths, reader).keys(),
  ];
  const all = check(entries);
  const faulty = new Set(
    all
      .filter(({ code, severity }) => severity === "error" && !isLintCode(code))
      .map(({ location }) => location?.source.path),
  );
  const sound = seenFrom(faulty.size === 0 ? [] : entries).filter((path) =>
    seenFrom([path]).every((each) => !faulty.has(each)),
  );
  const advice = sound
    .flatMap((path) => check([path]))
    .filter(({ code }) => isLintCode(code) && !wide.has(code))
    .map(printFinding);
  return [...all.map(printFinding), ...new Set(advice)].sort();
}

/** Advice that depends on the contract as a whole. */
const wide = new Set([...contractWideLintRules, "suppression-unused"]);

function printFinding({ code, location }: Diagnostic): string {
  const { start = 0, end = 0 } = location?.span ?? {};
  return `${location?.source.path ?? ""} ${start}-${end} ${code}`;
}

/** Returns the findings of a service in the same form. */
export function diagnoseAll(service: Marked["service"]): readonly string[] {
  return service
    .diagnoseAll()
    .flatMap(({ path, diagnostics }) =>
      diagnostics.map(
        ({ code, span }) => `${path} ${span.start}-${span.end} ${code}`,
      ),
    )
    .sort();
}
