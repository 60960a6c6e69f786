import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { collectNodes } from "../../2-check/program/nodes.js";
import type { Program, Scope } from "../../2-check/program/program.js";
import { toDiagnostic } from "../../2-check/report/finding.js";
import { checkRules, contractWideRules } from "../../2-check/rules/index.js";
import { compareDiagnostics } from "../../diagnostics/compare.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { rememberEach } from "../../ir/remember.js";
import {
  applyRules,
  type LintOptions,
  settleFindings,
} from "../../lint/index.js";
import { contractWideLintRules, lintRules } from "../../lint/rules/index.js";
import type { ProgramPart } from "../workspace/workspace.js";
import { dropRepeated } from "./drop-repeated.js";

/** All diagnostics of documents that are checked together, in order. */
export type CheckPart = (
  part: ProgramPart,
  lint: LintOptions,
) => readonly Diagnostic[];

/** What is found in one document with what it can see. */
type Findings = WeakMap<Scope, readonly Diagnostic[]>;

const wideChecks = pick(checkRules, (code) => contractWideRules.has(code));
const ownChecks = pick(checkRules, (code) => !contractWideRules.has(code));
const wideAdvice = pick(lintRules, (code) => contractWideLintRules.has(code));
const ownAdvice = pick(lintRules, (code) => !contractWideLintRules.has(code));

/**
 * Creates what checks and lints as `ridl check` does, and remembers what was
 * found in documents that no change can have affected.
 */
export function createCheckPart(): CheckPart {
  const faults: Findings = new WeakMap();
  const advice = rememberEach((_: LintOptions): Findings => new WeakMap());
  return ({ program, diagnostics: early }, lint) => {
    // Documents that import each other are judged as one.
    const isCircular = early.some(({ code }) => code === "import-cycle");
    const inEach = (
      known: Findings,
      judge: (program: Program) => readonly Diagnostic[],
    ): readonly Diagnostic[] =>
      isCircular
        ? judge(program)
        : program.documents.flatMap((document) =>
            inDocument(program, document, known, judge),
          );
    const diagnostics = [
      ...program.documents.flatMap((document) => document.diagnostics),
      ...early,
      ...inEach(faults, (each) => applyChecks(each, ownChecks)),
      ...applyChecks(program, wideChecks),
    ];
    const isFaulty = diagnostics.some(({ severity }) => severity === "error");
    const findings = isFaulty
      ? []
      : [
          ...dropRepeated(
            inEach(advice(lint), (each) => applyRules(each, lint, ownAdvice)),
          ),
          ...applyRules(program, lint, wideAdvice),
        ];
    const checked = { value: program, diagnostics };
    return settleFindings(checked, findings, lint).sort(compareDiagnostics);
  };
}

/** A scope is the same as long as a document sees the same. */
function inDocument(
  program: Program,
  document: LoadedDocument,
  known: Findings,
  judge: (program: Program) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const scope = program.scopes.get(document.path);
  const before = scope && known.get(scope);
  if (before !== undefined) return before;
  const documents = [document];
  const nodes = collectNodes(documents);
  const found = judge({ ...program, documents, nodes });
  if (scope !== undefined) known.set(scope, found);
  return found;
}

function applyChecks(
  program: Program,
  rules: Partial<typeof checkRules>,
): readonly Diagnostic[] {
  return Object.entries(rules).flatMap(([code, find]) =>
    find(program).map((each) => toDiagnostic(code, "error", each)),
  );
}

function pick<Rules extends object>(
  rules: Rules,
  isChosen: (code: string) => boolean,
): Partial<Rules> {
  const chosen: Partial<Rules> = { ...rules };
  for (const code in chosen) if (!isChosen(code)) delete chosen[code];
  return chosen;
}
