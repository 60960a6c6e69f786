export { printDocument } from "../generator/1-parse/print.js";
export { parseDocument } from "../generator/1-parse/load/parse-document.js";
export type { Document } from "../generator/1-parse/ast.js";
export type { DocumentReader } from "../generator/1-parse/load/load-documents.js";
export { emitContract } from "../generator/4-emit/emit.js";
export type {
  EmitContext,
  EmitOptions,
  Emitter,
  OutputFile,
  SetFile,
  TemplateSet,
} from "../generator/4-emit/emitter/emitter.js";
export type {
  EmitFunction,
  EmittedFile,
  EmitTools,
  FileDraft,
  Statement,
  StatementsFile,
} from "../generator/4-emit/custom/emit-function.js";
export type {
  ContractView,
  HostContractView,
} from "../generator/4-emit/view/view.js";
export type { Target } from "../generator/4-emit/emitter/target.js";
export { emitters } from "../generator/4-emit/registry.js";
export {
  selectTargets,
  type TargetChoice,
} from "../generator/4-emit/select-targets.js";
export { compileContract } from "../generator/compile.js";
export { findChanges } from "../tools/breaking/diff/index.js";
export type {
  Audience,
  Change,
  Effects,
  Level,
  Subject,
} from "../tools/breaking/diff/index.js";
export type {
  Diagnostic,
  Fix,
  Diagnosed,
  RelatedLocation,
  Severity,
} from "../generator/diagnostics/diagnostic.js";
export { defaultLintOptions } from "../generator/lint/index.js";
export type {
  LintCategory,
  LintOptions,
  RuleSeverity,
} from "../generator/lint/index.js";
export { renderDiagnostic } from "../generator/diagnostics/render.js";
export type * from "../generator/ir/contract.js";
export type {
  ParameterSegment,
  PathSegment,
  PathTemplate,
} from "../generator/ir/path-template.js";
export {
  createIndex,
  type ContractIndex,
} from "../generator/values/resolve.js";
export type {
  Location,
  Position,
  Source,
  Span,
} from "../generator/source/source.js";
