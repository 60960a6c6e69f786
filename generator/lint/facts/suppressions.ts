import type { Annotation, Comment, Item } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Program } from "../../2-check/program/program.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Span } from "../../source/source.js";

/** A comment such as `#! ridl-ignore unbounded-list the table has ten rows`. */
export interface Suppression {
  readonly document: LoadedDocument;
  readonly comment: Comment;
  /** What it silences; empty when the comment ends before. */
  readonly code: string;
  /** Place of the code. */
  readonly codeSpan: Span;
  /** Why; empty when the author does not say. */
  readonly reason: string;
  /** Whether it silences a diagnostic. */
  readonly covers: (diagnostic: Diagnostic) => boolean;
}

/** What a comment can be about. */
interface Target {
  /** Where it begins, with its annotations. */
  readonly start: number;
  /** Where it begins itself: a comment may stand below its annotations. */
  readonly ownStart: number;
  /** Where a finding must begin to be silenced. */
  readonly span: Span;
}

/** A declaration or member. */
interface Annotated {
  readonly span: Span;
  readonly annotations: readonly Annotation[];
}

const NOTATION = /^(!\s*ridl-ignore(?:\s+|$))(\S*)\s*(.*?)\s*$/;

/**
 * Finds the comments that silence findings, in document order.
 * A comment behind something is about what begins last before it; one on a
 * line of its own about what comes next, or, before a header, about the whole
 * document.
 */
export function readSuppressions(program: Program): readonly Suppression[] {
  return program.documents.flatMap((document) => {
    const comments = document.syntax.comments.filter(
      ({ isPrivate, text }) => isPrivate && NOTATION.test(text),
    );
    if (comments.length === 0) return [];
    const targets = document.syntax.items.flatMap(targetsOf);
    return comments.map((comment) => readComment(comment, document, targets));
  });
}

function readComment(
  comment: Comment,
  document: LoadedDocument,
  targets: readonly Target[],
): Suppression {
  const [, lead = "", code = "", reason = ""] =
    NOTATION.exec(comment.text) ?? [];
  const start = comment.span.start + "#".length + lead.length;
  const target = findTarget(comment, targets);
  const covers = ({ code: found, location }: Diagnostic): boolean =>
    found === code &&
    location?.source === document.syntax.source &&
    target !== undefined &&
    target.span.start <= location.span.start &&
    location.span.start < target.span.end;
  const codeSpan = { start, end: start + code.length };
  return { document, comment, code, codeSpan, reason, covers };
}

function findTarget(
  { isTrailing, span }: Comment,
  targets: readonly Target[],
): Target | undefined {
  return isTrailing
    ? targets.findLast(({ start }) => start < span.start)
    : targets.find(({ ownStart }) => ownStart > span.start);
}

/** What comments can be about, outermost first, in document order. */
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

/** A comment above the annotations is above what they belong to. */
function annotatedTarget({ span, annotations: [first] }: Annotated): Target {
  const start = first?.span.start ?? span.start;
  return { start, ownStart: span.start, span: { start, end: span.end } };
}

function toTarget(of: { readonly span: Span }, span: Span): Target {
  const { start } = of.span;
  return { start, ownStart: start, span };
}
