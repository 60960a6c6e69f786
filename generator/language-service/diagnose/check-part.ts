import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Program } from "../../2-check/program/program.js";
import { toDiagnostic } from "../../2-check/report/finding.js";
import {
  checkRules,
  contractWideRules,
  documentWideRules,
} from "../../2-check/rules/index.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { rememberEach } from "../../ir/remember.js";
import {
  applyRules,
  type LintOptions,
  settleFindings,
} from "../../lint/index.js";
import {
  contractWideLintRules,
  documentWideLintRules,
  lintRules,
} from "../../lint/rules/index.js";
import type { ProgramPart } from "../workspace/workspace.js";
import { dropRepeated } from "./drop-repeated.js";
import { DocumentChecker, type RulesByScope } from "./document-checker.js";

/** Returns all diagnostics of documents that are checked together. */
export type CheckPart = (
  part: ProgramPart,
  lint: LintOptions,
) => readonly Diagnostic[];

const checks = divide(checkRules, contractWideRules, documentWideRules);
const advices = divide(lintRules, contractWideLintRules, documentWideLintRules);

/**
 * Creates a function that checks and lints like `ridl check`. It caches
 * findings that no change can have affected. Errors only hide the advice about
 * documents that they can affect, so most advice remains visible while the user
 * types.
 */
export function createCheckPart(): CheckPart {
  const faults = new DocumentChecker(applyChecks, checks);
  const advice = rememberEach(
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
    const diagnostics = [
      ...documents.flatMap((document) => document.diagnostics),
      ...early,
      ...(isCircular
        ? applyChecks(program, { ...checks.declaration, ...checks.document })
        : documents.flatMap((each) =>
            faults.check(program, each, revisionOf(each)),
          )),
      ...(isExcerpt ? [] : applyChecks(program, checks.contract)),
    ];
    const isAffected = findAffected(documents, diagnostics, isCircular);
    const found = documents.flatMap((each) => {
      if (!isAffected(each)) {
        return advice(lint).check(program, each, revisionOf(each));
      }
      advice(lint).follow(each, revisionOf(each));
      return [];
    });
    const shared =
      isExcerpt || diagnostics.some(isError)
        ? []
        : applyRules(program, lint, advices.contract);
    const settled = settleFindings(
      { value: program, diagnostics },
      [...dropRepeated(found), ...shared],
      lint,
    );
    // A comment that seems unused may suppress the findings of other rules.
    return isExcerpt
      ? settled.filter(({ code }) => code !== "suppression-unused")
      : settled;
  };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/**
 * Finds the documents that have errors or import such documents, directly or
 * indirectly. Their advice could be wrong. Input: documents in an order that
 * puts imported documents first, unless they import each other.
 */
function findAffected(
  documents: readonly LoadedDocument[],
  diagnostics: readonly Diagnostic[],
  isCircular: boolean,
): (document: LoadedDocument) => boolean {
  const affected = new Set(
    diagnostics
      .filter(isError)
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
