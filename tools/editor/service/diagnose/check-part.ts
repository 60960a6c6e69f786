import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { toDiagnostic } from "../../../../generator/2-check/report/finding.js";
import {
  checkRules,
  contractWideRules,
  documentWideRules,
} from "../../../../generator/2-check/rules/index.js";
import type { Diagnostic } from "../../../../generator/diagnostics/diagnostic.js";
import { rememberEach } from "../../../../generator/ir/remember.js";
import {
  applyRules,
  type LintOptions,
} from "../../../../generator/lint/index.js";
import {
  contractWideLintRules,
  documentWideLintRules,
  lintRules,
} from "../../../../generator/lint/rules/index.js";
import type { ProgramPart } from "../workspace/workspace.js";
import { DocumentChecker, type RulesByScope } from "./document-checker.js";

/** Findings in documents that are checked together, before suppression. */
export interface PartFindings {
  /**
   * Findings of the parser and of checks. Lists without changes are the same
   * objects as before.
   */
  readonly faults: readonly (readonly Diagnostic[])[];
  /** Findings of lint rules, also as lists. */
  readonly advice: readonly (readonly Diagnostic[])[];
  /** Whether all rules were applied to all documents. */
  readonly isComplete: boolean;
}

const checks = divide(checkRules, contractWideRules, documentWideRules);
const advices = divide(lintRules, contractWideLintRules, documentWideLintRules);

/**
 * Creates a function that checks and lints like `ridl check`. It caches
 * findings that no change can have affected. Errors hide only the advice about
 * documents that they can affect, so most advice remains visible while the user
 * types.
 */
export function createCheckPart(): (
  part: ProgramPart,
  lint: LintOptions,
) => PartFindings {
  const checker = new DocumentChecker(applyChecks, checks);
  const adviser = rememberEach(
    (lint: LintOptions) =>
      new DocumentChecker(
        (program, rules: Partial<typeof lintRules>) =>
          applyRules(program, lint, rules),
        advices,
      ),
  );
  return ({ program, diagnostics: early, isExcerpt, revisionOf }, lint) => {
    // Documents that import each other are checked as one.
    const isCircular = early.some(({ code }) => code === "import-cycle");
    const { documents } = program;
    const faults = [
      ...documents.map(({ diagnostics }) => diagnostics),
      early,
      ...(isCircular
        ? [applyChecks(program, { ...checks.declaration, ...checks.document })]
        : documents.map((each) =>
            checker.check(program, each, revisionOf(each)),
          )),
      isExcerpt ? [] : applyChecks(program, checks.contract),
    ];
    const isAffected = findAffected(documents, faults, isCircular);
    const advice = documents.map((each) => {
      if (!isAffected(each)) {
        return adviser(lint).check(program, each, revisionOf(each));
      }
      adviser(lint).follow(each, revisionOf(each));
      return [];
    });
    const isComplete = !isExcerpt && !faults.some(hasErrors);
    const shared = isComplete
      ? applyRules(program, lint, advices.contract)
      : [];
    return { faults, advice: [...advice, shared], isComplete };
  };
}

const errorsIn = rememberEach((found: readonly Diagnostic[]) =>
  found.filter(({ severity }) => severity === "error"),
);

function hasErrors(found: readonly Diagnostic[]): boolean {
  return errorsIn(found).length > 0;
}

/**
 * Returns a predicate for documents that have errors or import such documents,
 * directly or indirectly. Advice about these documents could be wrong. If any
 * documents import each other, it accepts all documents. Input: documents in an
 * order that puts imported documents first, unless they import each other.
 */
function findAffected(
  documents: readonly LoadedDocument[],
  faults: PartFindings["faults"],
  isCircular: boolean,
): (document: LoadedDocument) => boolean {
  const affected = new Set(
    faults
      .flatMap(errorsIn)
      .flatMap(({ location }) => location?.source.path ?? []),
  );
  for (const { imports, path } of documents) {
    if (isCircular || imports.some((each) => affected.has(each.path))) {
      affected.add(path);
    }
  }
  return ({ path }) => affected.has(path);
}

function applyChecks(
  program: Program,
  rules: Partial<typeof checkRules>,
): readonly Diagnostic[] {
  return Object.entries(rules).flatMap(([code, find]) =>
    find(program).map((each) => toDiagnostic(code, "error", each)),
  );
}

/** Groups rules by how much of a program their findings depend on. */
function divide<Rules extends object>(
  rules: Rules,
  contractWide: ReadonlySet<string>,
  documentWide: ReadonlySet<string>,
): RulesByScope<Partial<Rules>> & { readonly contract: Partial<Rules> } {
  const isWide = (code: string): boolean =>
    contractWide.has(code) || documentWide.has(code);
  return {
    contract: pick(rules, (code) => contractWide.has(code)),
    document: pick(rules, (code) => documentWide.has(code)),
    declaration: pick(rules, (code) => !isWide(code)),
  };
}

function pick<Rules extends object>(
  rules: Rules,
  isChosen: (code: string) => boolean,
): Partial<Rules> {
  const chosen: Partial<Rules> = { ...rules };
  for (const code in chosen) if (!isChosen(code)) delete chosen[code];
  return chosen;
}
