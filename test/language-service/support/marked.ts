import { createLanguageService } from "../../../generator/language-service/index.js";
import type { ServiceOptions } from "../../../generator/language-service/index.js";
import { compileContract } from "../../../generator/compile.js";
import { defaultLintOptions } from "../../../generator/lint/index.js";
import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";

/** Marks the cursor. */
export const cursor = "§";

/** Documents by path, one of which has a cursor. */
export interface Marked {
  readonly service: ReturnType<typeof createLanguageService>;
  readonly path: string;
  readonly offset: number;
  /** Texts without the mark. */
  readonly texts: ReadonlyMap<string, string>;
  /** The text of a place. */
  textAt(place: {
    readonly path: string;
    readonly span: { readonly start: number; readonly end: number };
  }): string;
}

/** A service in which all documents are open and listed. */
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
  const service = createLanguageService({
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

/** Findings of `ridl check`, as code and place. */
export function checkAll(
  texts: ReadonlyMap<string, string>,
  entries: readonly string[] = [...texts.keys()],
): readonly string[] {
  const read = (path: string): string | null => texts.get(path) ?? null;
  return compileContract(entries, { read }, defaultLintOptions)
    .diagnostics.map(printFinding)
    .sort();
}

function printFinding({ code, location }: Diagnostic): string {
  const { start = 0, end = 0 } = location?.span ?? {};
  return `${location?.source.path ?? ""} ${start}-${end} ${code}`;
}

/** Findings of a service, in the same form. */
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
