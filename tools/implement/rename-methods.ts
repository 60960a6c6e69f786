import type { ts } from "ts-morph";
import { camelCase, pascalCase } from "../../generator/4-emit/names/casing.js";
import type { Compiler } from "./compiler.js";
import { insertAt, type TextEdit } from "./edits.js";
import type { Implementation } from "./find-implementations.js";
import type { HandledMethod, HandledService } from "./handler-methods.js";

/**
 * Parses a renaming.
 * Input: `GetPrice=FindPrice`, with names of methods or of properties. If
 * several services have such a method, a service comes first, as in
 * `Shop/GetPrice=FindPrice`.
 * Returns the renaming, or an error message.
 */
export function parseRenaming(
  text: string,
  services: readonly HandledService[],
): Renaming | string {
  const form = /^(?:(.+)[/.])?([^=/.]+)=([^=/.]+)$/u.exec(text);
  if (form === null) {
    return `\`${text}\` is not a renaming such as \`GetPrice=FindPrice\``;
  }
  const [, service, from = "", to = ""] = form;
  const methods = services
    .filter((each) => service === undefined || isNamed(each, service))
    .flatMap((each) => each.methods);
  if (methods.length === 0) return `there is no service \`${service}\``;
  const before = methods.filter((method) => isCalled(method, from));
  const named = methods.filter((method) => isCalled(method, to));
  // Another service may have a method with the old name, which does not change.
  const targets = named.filter(
    ({ service }) => !before.some((method) => method.service === service),
  );
  const [target, other] = targets;
  if (target === undefined) {
    const [kept] = before;
    return kept === undefined
      ? `the contract has no method \`${to}\``
      : `the contract still has the method \`${kept.title}\``;
  }
  return other === undefined
    ? { from, to: target }
    : `\`${target.title}\` and \`${other.title}\` are both named \`${to}\`; write \`${target.service.service.name}/${from}=${to}\``;
}

function isNamed({ service }: HandledService, name: string): boolean {
  return service.service.name === name || service.names.property === name;
}

function isCalled({ method, property }: HandledMethod, name: string): boolean {
  return method.method.name === name || property === camelCase(name);
}

/** A method whose name in the contract differs from its name in handlers. */
export interface Renaming {
  /** The old name, in RIDL or as a property. */
  readonly from: string;
  readonly to: HandledMethod;
}

/** A member that is renamed. */
export interface RenamedMember {
  readonly implementation: Implementation;
  readonly member: ts.NamedDeclaration;
  /** The old name as a property. */
  readonly from: string;
  readonly renaming: Renaming;
}

/** Finds the members that have the old names of missing methods. */
export function findRenamed(
  implementation: Implementation,
  renamings: readonly Renaming[],
): readonly RenamedMember[] {
  const { members, missing } = implementation;
  return renamings
    .filter(({ to }) => missing.includes(to))
    .flatMap((renaming) => {
      const names = [renaming.from, camelCase(renaming.from)];
      const from = names.find((name) => members.has(name));
      const member = from === undefined ? undefined : members.get(from);
      return from === undefined || member === undefined
        ? []
        : [{ implementation, member, from, renaming }];
    });
}

/** The parts of a program that renaming uses. */
export interface Lookup {
  readonly checker: ts.TypeChecker;
  readonly compiler: Compiler;
  /** Methods by their declarations in generated code. */
  readonly declarations: ReadonlyMap<ts.Node, HandledMethod>;
}

/**
 * Returns edits that rename a member throughout a file. In the file that
 * implements the member, they also rename the generated types of its method.
 */
export function renameIn(
  source: ts.SourceFile,
  renamed: RenamedMember,
  lookup: Lookup,
): readonly TextEdit[] {
  const { compiler } = lookup;
  const { from, implementation, member, renaming } = renamed;
  const { property } = renaming.to;
  const types =
    source === implementation.source ? renamedTypes(renaming) : new Map();
  const edits: TextEdit[] = [];
  const visit = (node: ts.Node): void => {
    const start = node.getStart();
    const isName = isText(node, from, compiler);
    if (isName && compiler.isShorthandPropertyAssignment(node.parent)) {
      if (node.parent === member) {
        edits.push(insertAt(start, `${property}: `));
      }
    } else if (isName && takesProperty(node, compiler)) {
      const isMember = isMemberOf(node.parent.parent, renamed, lookup);
      if (isMember) edits.push(insertAt(start, `${property}: `));
    } else if (isName && refersTo(node, renamed, lookup)) {
      const offset = compiler.isIdentifier(node) ? 0 : 1;
      const end = node.end - offset;
      edits.push({ start: start + offset, end, text: property });
    } else if (compiler.isIdentifier(node)) {
      const text = types.get(node.text);
      const isLost = text !== undefined && isUnresolved(node, lookup);
      if (isLost) edits.push({ start, end: node.end, text });
    }
    compiler.forEachChild(node, visit);
  };
  visit(source);
  return edits;
}

/** Maps types, e.g. `GetPriceRequest` to `FindPriceRequest`. */
function renamedTypes({ from, to }: Renaming): ReadonlyMap<string, string> {
  return new Map(
    ["Request", "Response", "Error"].map((end) => [
      pascalCase(from) + end,
      pascalCase(to.method.method.name) + end,
    ]),
  );
}

function isText(node: ts.Node, text: string, compiler: Compiler): boolean {
  return (
    (compiler.isIdentifier(node) || compiler.isStringLiteral(node)) &&
    node.text === text
  );
}

function refersTo(
  node: ts.Node,
  renamed: RenamedMember,
  lookup: Lookup,
): boolean {
  const { parent } = node;
  const { implementation, member } = renamed;
  const { checker, compiler } = lookup;
  if (parent === member) return member.name === node;
  if (compiler.isLiteralTypeNode(parent)) {
    return isTypeArgument(parent, implementation.source, compiler);
  }
  const owner = ownerOf(node, compiler);
  if (owner !== undefined) return isMemberOf(owner, renamed, lookup);
  const { declarations = [] } = checker.getSymbolAtLocation(node) ?? {};
  return declarations.some((declaration) => declaration === member);
}

/** Whether a name is a property and a variable, as in `const { a } = b`. */
function takesProperty({ parent }: ts.Node, compiler: Compiler): boolean {
  return (
    compiler.isBindingElement(parent) &&
    parent.propertyName === undefined &&
    compiler.isObjectBindingPattern(parent.parent)
  );
}

/**
 * Finds the node that has the type of a property's owner, e.g. `a` in `a.b`, or
 * the pattern in `const { b: c } = a`.
 */
function ownerOf(node: ts.Node, compiler: Compiler): ts.Node | undefined {
  const { parent } = node;
  if (compiler.isPropertyAccessExpression(parent)) {
    return parent.name === node ? parent.expression : undefined;
  }
  if (compiler.isElementAccessExpression(parent)) {
    const isKey = parent.argumentExpression === node;
    return isKey ? parent.expression : undefined;
  }
  const isKey =
    compiler.isBindingElement(parent) && parent.propertyName === node;
  return isKey ? parent.parent : undefined;
}

/** Whether a value has the renamed member, under its old or its new name. */
function isMemberOf(
  owner: ts.Node,
  { from, member, renaming: { to } }: RenamedMember,
  { checker, declarations }: Lookup,
): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(owner));
  const before = checker.getPropertyOfType(type, from);
  const after = checker.getPropertyOfType(type, to.property);
  return before === undefined
    ? (after?.declarations ?? []).some((each) => declarations.get(each) === to)
    : (before.declarations ?? []).some((each) => each === member);
}

/** Whether a type is an argument, as in `Pick<ShopHandler, "getPrice">`. */
function isTypeArgument(
  node: ts.Node,
  source: ts.SourceFile,
  compiler: Compiler,
): boolean {
  const { parent } = node;
  if (compiler.isUnionTypeNode(parent)) {
    return isTypeArgument(parent, source, compiler);
  }
  return (
    compiler.isTypeReferenceNode(parent) && node.getSourceFile() === source
  );
}

/** Whether a name refers to a declaration that is no longer generated. */
function isUnresolved(node: ts.Node, { checker, compiler }: Lookup): boolean {
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return true;
  const isAlias = (symbol.flags & compiler.SymbolFlags.Alias) !== 0;
  return isAlias && checker.getAliasedSymbol(symbol).declarations === undefined;
}
