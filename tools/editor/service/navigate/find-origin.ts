import type { Program } from "../../../../generator/2-check/program/program.js";
import { lowerContract } from "../../../../generator/3-lower/index.js";
import { planContract } from "../../../../generator/4-emit/typescript/plan/create-plan.js";
import { rememberEach } from "../../../../generator/ir/remember.js";
import { listDeclared } from "../../trace/list-declared.js";
import { traceNames } from "../../trace/trace-names.js";
import type { GeneratedFile, LinkTarget } from "../model/results.js";

/** Traces the names that are generated from a program. */
const originsOf = rememberEach((program: Program) => {
  const plan = planContract(lowerContract(program), {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  });
  return traceNames(
    plan,
    program.documents.map(({ syntax }) => syntax),
  );
});

/**
 * Finds the declaration in RIDL that a name in a generated file comes from.
 * Input: a program without errors, and an offset in the name where it is
 * declared.
 */
export function findOrigin(
  program: Program,
  { path, text }: GeneratedFile,
  offset: number,
): LinkTarget | null {
  const declared = listDeclared(text).find(
    ({ span }) => span.start <= offset && offset <= span.end,
  );
  const origin = declared && originsOf(program)(path, declared);
  if (!origin) return null;
  const { source, span } = origin;
  return { origin: declared.span, path: source.path, span, nameSpan: span };
}
