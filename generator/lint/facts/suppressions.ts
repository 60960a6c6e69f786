import type { Comment, Item, Method } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { rememberEach } from "../../ir/remember.js";
import type { Location, Source, Span } from "../../source/source.js";

/** A comment such as `#! ridl-ignore unbounded-list the table has ten rows`. */
export interface Suppression {
  readonly document: LoadedDocument;
  readonly comment: Comment;
  /** The suppressed code. Empty if the comment has none. */
  readonly code: string;
  /** Span of the code. */
  readonly codeSpan: Span;
  /** The reason. Empty if the comment gives none. */
  readonly reason: string;
  /** A diagnostic that starts here is suppressed. Null suppresses none. */
  readonly span: Span | null;
}

/** The effect of suppression comments. */
export interface SuppressionResult {
  readonly suppressed: ReadonlySet<Diagnostic>;
  /** The comments that suppress something. */
  readonly used: ReadonlySet<Suppression>;
}

/** An item that a comment can apply to. */
interface Target {
  /** Where the item begins, with its annotations. */
  readonly start: number;
  /**
   * Where the item begins without its annotations. A comment can be below the
   * annotations.
   */
  readonly ownStart: number;
  /** A finding is suppressed if it begins within this span. */
  readonly span: Span;
}

const NOTATION = /^(!\s*ridl-ignore(?:\s+|$))(\S*)\s*(.*?)\s*$/;

/**
 * Finds the comments that suppress findings, in document order. A comment at
 * the end of a line applies to the last item that begins before it. A comment
 * on its own line applies to the next item or, before a header, to the whole
 * document.
 */
export function readSuppressions(
  documents: readonly LoadedDocument[],
): readonly Suppression[] {
  return documents.flatMap(suppressionsOf);
}

const suppressionsOf = rememberEach(
  (document: LoadedDocument): readonly Suppression[] => {
    const comments = document.syntax.comments.filter(
      ({ isPrivate, text }) => isPrivate && NOTATION.test(text),
    );
    if (comments.length === 0) return [];
    const targets = document.syntax.items.flatMap(targetsOf);
    let next = 0;
    return comments.map((comment) => {
      const { isTrailing, span } = comment;
      while ((targets[next]?.ownStart ?? Infinity) <= span.start) next++;
      const following = targets[next];
      const isWithin = following !== undefined && following.start < span.start;
      const target = isTrailing && !isWithin ? targets[next - 1] : following;
      return readComment(comment, document, target?.span ?? null);
    });
  },
);

function readComment(
  comment: Comment,
  document: LoadedDocument,
  span: Span | null,
): Suppression {
  const [, opening = "", code = "", reason = ""] =
    NOTATION.exec(comment.text) ?? [];
  const start = comment.span.start + "#".length + opening.length;
  const codeSpan = { start, end: start + code.length };
  return { document, comment, code, codeSpan, reason, span };
}

/** The findings of one code in one document, and the comments on them. */
interface Group {
  readonly suppressions: Suppression[];
  readonly found: LocatedDiagnostic[];
}

/** Whether the reason of a comment is enough to suppress a diagnostic. */
type Accepts = (reason: string, diagnostic: Diagnostic) => boolean;

/** Determines which diagnostics are suppressed, and by which comments. */
export function silence(
  diagnostics: readonly Diagnostic[],
  suppressions: readonly Suppression[],
  accepts: Accepts = () => true,
): SuppressionResult {
  const groups = new Map<Source, Map<string, Group>>();
  for (const suppression of suppressions) {
    const { code, document } = suppression;
    const { source } = document.syntax;
    const byCode = groups.get(source) ?? new Map<string, Group>();
    const group = byCode.get(code) ?? { suppressions: [], found: [] };
    group.suppressions.push(suppression);
    groups.set(source, byCode.set(code, group));
  }
  for (const diagnostic of diagnostics) {
    if (!isLocated(diagnostic)) continue;
    const { code, location } = diagnostic;
    groups.get(location.source)?.get(code)?.found.push(diagnostic);
  }
  const result = {
    suppressed: new Set<Diagnostic>(),
    used: new Set<Suppression>(),
  };
  for (const byCode of groups.values()) {
    for (const group of byCode.values()) silenceGroup(group, accepts, result);
  }
  return result;
}

/** Walks through comments and findings at once, in document order. */
function silenceGroup(
  { found, suppressions }: Group,
  accepts: Accepts,
  { suppressed, used }: { suppressed: Set<Diagnostic>; used: Set<Suppression> },
): void {
  const waiting = suppressions
    .flatMap((suppression) => {
      const { span } = suppression;
      return span === null ? [] : { suppression, span };
    })
    .sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  // Spans are disjoint or nested, with the innermost last.
  const open: typeof waiting = [];
  const close = (place: number): void => {
    while ((open.at(-1)?.span.end ?? Infinity) <= place) open.pop();
  };
  let next = 0;
  found.sort((a, b) => a.location.span.start - b.location.span.start);
  for (const diagnostic of found) {
    const place = diagnostic.location.span.start;
    for (let each = waiting[next]; each; each = waiting[++next]) {
      if (each.span.start > place) break;
      close(each.span.start);
      open.push(each);
    }
    close(place);
    const isSilenced = open.some(({ suppression }) =>
      accepts(suppression.reason, diagnostic),
    );
    if (isSilenced) suppressed.add(diagnostic);
    for (let depth = 1; depth <= open.length; depth++) {
      const suppression = open.at(-depth)?.suppression;
      // Comments around a used one are already marked as used.
      if (suppression === undefined || used.has(suppression)) break;
      used.add(suppression);
    }
  }
}

type LocatedDiagnostic = Diagnostic & { readonly location: Location };

function isLocated(diagnostic: Diagnostic): diagnostic is LocatedDiagnostic {
  return diagnostic.location !== undefined;
}

/** Returns the targets of comments in document order, outer ones first. */
function targetsOf(item: Item): readonly Target[] {
  switch (item.kind) {
    case "header":
      return [toTarget(item, { start: 0, end: Infinity })];
    case "import":
      return [toTarget(item, item.span)];
    case "struct":
      return [item, ...item.fields].map(annotatedTarget);
    case "service":
      return [item, ...item.methods].map(annotatedTarget);
    case "enum":
      return [
        annotatedTarget(item),
        ...item.members.map((member) => toTarget(member, member.span)),
      ];
    case "alias":
    case "error":
      return [annotatedTarget(item)];
  }
}

/**
 * Returns the target of comments on a declaration that can have annotations.
 */
function annotatedTarget({
  span,
  annotations: [first],
}: Pick<Method, "span" | "annotations">): Target {
  const start = first?.span.start ?? span.start;
  return { start, ownStart: span.start, span: { start, end: span.end } };
}

function toTarget(of: { readonly span: Span }, span: Span): Target {
  const { start } = of.span;
  return { start, ownStart: start, span };
}
