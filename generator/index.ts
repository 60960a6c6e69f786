export { printDocument } from "./1-parse/print.js";
export { parseDocument } from "./1-parse/load/parse-document.js";
export type { Document } from "./1-parse/ast.js";
export type { DocumentReader } from "./1-parse/load/load-documents.js";
export { emitContract } from "./4-emit/emit.js";
export type {
  EmitContext,
  EmitOptions,
  Emitter,
  OutputFile,
  SetFile,
  TemplateSet,
} from "./4-emit/emitter/emitter.js";
export type {
  EmitFunction,
  EmittedFile,
  EmitTools,
  FileDraft,
  Statement,
  StatementsFile,
} from "./4-emit/own/emit-function.js";
export type { ContractView, HostContractView } from "./4-emit/view/view.js";
export type { Target } from "./4-emit/emitter/target.js";
export { emitters } from "./4-emit/registry.js";
export { selectTargets, type TargetChoice } from "./4-emit/select-targets.js";
export { compileContract } from "./compile.js";
export { findChanges } from "./diff/index.js";
export type {
  Audience,
  Change,
  Effects,
  Level,
  Subject,
} from "./diff/index.js";
export type {
  Diagnostic,
  Fix,
  Diagnosed,
  RelatedLocation,
  Severity,
} from "./diagnostics/diagnostic.js";
export { defaultLintOptions } from "./lint/index.js";
export type { LintCategory, LintOptions, RuleSeverity } from "./lint/index.js";
export { renderDiagnostic } from "./diagnostics/render.js";
export type * from "./ir/contract.js";
export type {
  ParameterSegment,
  PathSegment,
  PathTemplate,
} from "./ir/path-template.js";
export { createIndex, type ContractIndex } from "./values/resolve.js";
export type { Location, Position, Source, Span } from "./source/source.js";
