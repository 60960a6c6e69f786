import type { ts } from "ts-morph";
import { pathOf } from "../../4-emit/typescript/plan/layout.js";
import type { ObjectPlan, Plan } from "../../4-emit/typescript/plan/plan.js";
import type { Compiler } from "./compiler.js";
import type { Implementation } from "./find-implementations.js";
import type { HandledMethod } from "./handler-methods.js";
import type { NeededImports } from "./import-names.js";
import type { StubForm, StubNames } from "./print-stub.js";

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
