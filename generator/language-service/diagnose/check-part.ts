import type { Program } from "../../2-check/program/program.js";
import { toDiagnostic } from "../../2-check/report/finding.js";
import {
  checkRules,
  contractWideRules,
  documentWideRules,
} from "../../2-check/rules/index.js";
import { compareDiagnostics } from "../../diagnostics/compare.js";
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
import { DocumentJudge, type Reach } from "./judge-documents.js";

/** Returns all diagnostics of documents that are checked together, in order. */
export type CheckPart = (
  part: ProgramPart,
  lint: LintOptions,
) => readonly Diagnostic[];

const checks = divide(checkRules, contractWideRules, documentWideRules);
const advices = divide(lintRules, contractWideLintRules, documentWideLintRules);

/**
 * Creates a function that checks and lints like `ridl check`. It caches
 * findings that no change can have affected.
 */
export function createCheckPart(): CheckPart {
  const faults = new DocumentJudge(applyChecks, checks);
  const advice = rememberEach(
    (lint: LintOptions) =>
      new DocumentJudge(
        (program, rules: Partial<typeof lintRules>) =>
          applyRules(program, lint, rules),
        advices,
      ),
  );
  return ({ program, diagnostics: early, revisionOf }, lint) => {
    // Documents that import each other are checked as one.
    const isCircular = early.some(({ code }) => code === "import-cycle");
    const { documents } = program;
    const diagnostics = [
      ...documents.flatMap((document) => document.diagnostics),
      ...early,
      ...(isCircular
        ? applyChecks(program, { ...checks.declaration, ...checks.document })
        : documents.flatMap((each) =>
            faults.judge(program, each, revisionOf(each)),
          )),
      ...applyChecks(program, checks.contract),
    ];
    if (diagnostics.some(({ severity }) => severity === "error")) {
      for (const each of documents) advice(lint).follow(each, revisionOf(each));
      return settle([]);
    }
    const found = documents.flatMap((each) =>
      advice(lint).judge(program, each, revisionOf(each)),
    );
    return settle([
      ...dropRepeated(found),
      ...applyRules(program, lint, advices.contract),
    ]);

    function settle(findings: readonly Diagnostic[]): readonly Diagnostic[] {
      const checked = { value: program, diagnostics };
      return settleFindings(checked, findings, lint).sort(compareDiagnostics);
    }
  };
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
): Reach<Partial<Rules>> & { readonly contract: Partial<Rules> } {
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
