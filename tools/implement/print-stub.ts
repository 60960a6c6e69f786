import { type FileStyle, maxWidth } from "./file-style.js";
import type { HandledMethod } from "./handler-methods.js";
import type { ts } from "ts-morph";
import { pathOf } from "../../generator/4-emit/typescript/plan/layout.js";
import type {
  ObjectPlan,
  Plan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import type { Compiler } from "./compiler.js";
import type { Implementation } from "./find-implementations.js";
import type { NeededImports } from "./import-names.js";

/** How a method is written in an implementation. */
export interface StubForm {
  readonly owner: "class" | "object";
  /** Whether it is a property whose value is an arrow function. */
  readonly isArrow: boolean;
  /** Modifiers before it, e.g. `public `. */
  readonly modifiers: string;
  /** Whether types come from the context, are written out, or are unknown. */
  readonly types: "given" | "written" | "unknown";
}

/** Names that a stub uses in its file. */
interface StubNames {
  /** Class of the error `WebrpcEndpoint`. */
  readonly error: string;
  readonly request: string;
  readonly response: string;
}

/**
 * Prints a method that throws `WebrpcEndpoint`. Returns its lines, the first
 * without indentation.
 */
export function printStub(
  method: HandledMethod,
  form: StubForm,
  names: StubNames,
  style: FileStyle,
  indent: string,
): readonly string[] {
  const { quote, semicolon } = style;
  const cause = `cause: ${quote}${method.title} is not implemented${quote}`;
  const inner = indent + style.indent;
  const thrown = `throw new ${names.error}({ ${cause} })${semicolon}`;
  const body =
    inner.length + thrown.length <= maxWidth
      ? [inner + thrown]
      : [
          `${inner}throw new ${names.error}({`,
          `${inner}${style.indent}${cause},`,
          `${inner}})${semicolon}`,
        ];
  const end = form.isArrow && form.owner === "class" ? semicolon : "";
  return [
    ...printHead(method, form, names, style, indent),
    ...body,
    `${indent}}${end}`,
  ];
}

function printHead(
  method: HandledMethod,
  form: StubForm,
  names: StubNames,
  style: FileStyle,
  indent: string,
): readonly string[] {
  const { isArrow, modifiers, owner, types } = form;
  const assigned = owner === "class" ? " = " : ": ";
  const start = `${modifiers}${method.property}${isArrow ? assigned : ""}(`;
  const parameter = printParameter(method, form, names);
  const result = types === "written" ? `: ${printResult(method, names)}` : "";
  const end = `)${result}${isArrow ? " =>" : ""} {`;
  const line = start + parameter + end;
  if (indent.length + line.length <= maxWidth || parameter === "") {
    return [line];
  }
  return [start, `${indent}${style.indent}${parameter},`, indent + end];
}

/** Prints the parameter with an underscore, because it is not used yet. */
function printParameter(
  { method }: HandledMethod,
  { types }: StubForm,
  { request }: StubNames,
): string {
  if (method.request.object.fields.length === 0) return "";
  switch (types) {
    case "given":
      return "_request";
    case "written":
      return `_request: ${request}`;
    case "unknown":
      return "";
  }
}

function printResult(
  { method }: HandledMethod,
  { response }: StubNames,
): string {
  const { message, object } = method.response;
  if (message.isStream) return `AsyncIterable<${response}>`;
  return `Promise<${object.fields.length === 0 ? "void" : response}>`;
}

/** Chooses the form of new methods to match the existing ones. */
export function formOf(
  { allowed, isTyped, members, node, source }: Implementation,
  compiler: Compiler,
): StubForm {
  const methods = [...allowed].flatMap(
    ({ property }) => members.get(property) ?? [],
  );
  const owner = compiler.isClassLike(node) ? "class" : "object";
  const isGiven = owner === "object" && isTyped;
  const isJavaScript = /\.[cm]?jsx?$/u.test(source.fileName);
  const arrows = methods.filter((method) => isArrow(method, compiler));
  const isMostlyArrows = arrows.length * 2 > methods.length;
  const { PublicKeyword, ReadonlyKeyword } = compiler.SyntaxKind;
  const has = (word: ts.SyntaxKind, members: readonly ts.Node[]): boolean =>
    members.some((member) => hasModifier(member, word, compiler));
  const isReadonly = isMostlyArrows && has(ReadonlyKeyword, arrows);
  return {
    owner,
    isArrow: isMostlyArrows,
    modifiers: [
      has(PublicKeyword, methods) ? "public " : "",
      isReadonly ? "readonly " : "",
    ].join(""),
    types: isGiven ? "given" : isJavaScript ? "unknown" : "written",
  };
}

function isArrow(member: ts.Node, compiler: Compiler): boolean {
  const hasValue =
    compiler.isPropertyAssignment(member) ||
    compiler.isPropertyDeclaration(member);
  return (
    hasValue &&
    member.initializer !== undefined &&
    compiler.isArrowFunction(member.initializer)
  );
}

function hasModifier(
  member: ts.Node,
  word: ts.SyntaxKind,
  compiler: Compiler,
): boolean {
  const modifiers = compiler.canHaveModifiers(member)
    ? (compiler.getModifiers(member) ?? [])
    : [];
  return modifiers.some(({ kind }) => kind === word);
}

/** Returns the names that a method uses, and imports them. */
export function namesOf(
  plan: Plan,
  { method: { request, response } }: HandledMethod,
  { types }: StubForm,
  imports: NeededImports,
): StubNames {
  const nameOf = ({ name, unit }: ObjectPlan, isNeeded: boolean): string =>
    isNeeded && types === "written"
      ? imports.use({ name, file: pathOf(unit, "types"), isType: true })
      : name;
  return {
    error: imports.use({
      name: "WebrpcEndpointError",
      file: pathOf(plan.root, "errors"),
      isType: false,
    }),
    request: nameOf(request.object, request.object.fields.length > 0),
    response: nameOf(
      response.object,
      response.object.fields.length > 0 || response.message.isStream,
    ),
  };
}
