import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";
import { findImporters } from "./find-importers.js";
import type { HandledMethod } from "./handler-methods.js";

/** An object or a class that implements methods of a contract. */
export interface Implementation {
  readonly source: ts.SourceFile;
  readonly node: ts.ObjectLiteralExpression | ts.ClassLikeDeclaration;
  /** Members by name, except those with computed names. */
  readonly members: ReadonlyMap<string, ts.NamedDeclaration>;
  /** All methods that the expected type allows. */
  readonly allowed: ReadonlySet<HandledMethod>;
  /** Methods that the expected type requires and that are missing. */
  readonly missing: readonly HandledMethod[];
  /** Members that look like methods of the contract but are not, by name. */
  readonly unknown: ReadonlyMap<string, ts.NamedDeclaration>;
  /** Whether its members get their types from the expected type. */
  readonly isTyped: boolean;
}

interface Search {
  readonly compiler: Compiler;
  readonly checker: ts.TypeChecker;
  /** Methods by their declarations in generated code. */
  readonly declarations: ReadonlyMap<ts.Node, HandledMethod>;
  /** Names of properties that are methods or handlers of services. */
  readonly names: ReadonlySet<string>;
  /** Absolute path of the folder with generated code. */
  readonly output: string;
  readonly isOwn: (source: ts.SourceFile) => boolean;
  readonly found: Map<Implementation["node"], Draft>;
}

/** An implementation whose expected types are still being collected. */
interface Draft {
  /** Types that it is expected to have. */
  readonly targets: Set<ts.Type>;
  readonly allowed: Set<HandledMethod>;
  readonly required: Set<HandledMethod>;
  isTyped: boolean;
}

/** Finds the objects and classes whose expected type is a handler. */
export function findImplementations(
  program: ts.Program,
  declarations: ReadonlyMap<ts.Node, HandledMethod>,
  output: string,
  compiler: Compiler,
): readonly Implementation[] {
  const checker = program.getTypeChecker();
  const found: Search["found"] = new Map();
  const isOwn = (source: ts.SourceFile): boolean =>
    isOwnFile(source, program, output);
  const names = new Set(
    [...declarations.values()].flatMap(({ property, service }) => [
      property,
      service.names.property,
    ]),
  );
  const servers = [...declarations.keys()].map((node) => node.getSourceFile());
  const search: Search = {
    compiler,
    checker,
    declarations,
    names,
    output,
    isOwn,
    found,
  };
  const visit = (node: ts.Node): void => {
    inspect(search, node);
    compiler.forEachChild(node, visit);
  };
  const own = program.getSourceFiles().filter(isOwn);
  findImporters(own, servers, checker, compiler).forEach(visit);
  return [...found].map(([node, draft]) => complete(search, node, draft));
}

/** Whether a file belongs to the project's own code. */
export function isOwnFile(
  source: ts.SourceFile,
  program: ts.Program,
  output: string,
): boolean {
  return (
    !source.isDeclarationFile &&
    !source.fileName.startsWith(`${output}/`) &&
    !program.isSourceFileFromExternalLibrary(source)
  );
}

function inspect(search: Search, node: ts.Node): void {
  const { checker, compiler } = search;
  if (compiler.isClassLike(node)) {
    for (const type of implementedTypes(search, node)) {
      note(search, node, checker.getTypeAtLocation(type), false);
    }
    return;
  }
  if (compiler.isObjectLiteralExpression(node)) {
    if (!mayBeHandler(search, node)) return;
    const type = checker.getContextualType(node);
    if (type !== undefined) note(search, node, type, true);
    return;
  }
  if (!isReference(search, node)) return;
  const type = checker.getContextualType(node);
  if (type === undefined || methodsOf(search, type).length === 0) return;
  const value = checker.getTypeAtLocation(node);
  // To the compiler, `Object.freeze` returns a different object.
  const isFrozen = value.aliasSymbol?.name === "Readonly";
  const original = (isFrozen ? value.aliasTypeArguments?.[0] : null) ?? value;
  const [made] = original.symbol?.declarations ?? [];
  if (made === undefined || !search.isOwn(made.getSourceFile())) return;
  const isImplementation =
    compiler.isObjectLiteralExpression(made) || compiler.isClassLike(made);
  if (isImplementation) note(search, made, type, false);
}

function implementedTypes(
  { compiler }: Search,
  { heritageClauses }: ts.ClassLikeDeclaration,
): readonly ts.Node[] {
  return (heritageClauses ?? [])
    .filter(({ token }) => token === compiler.SyntaxKind.ImplementsKeyword)
    .flatMap(({ types }) => types);
}

/**
 * Whether an object may be a handler: a quick test before asking the compiler.
 * An object with a type assertion, as in tests, is incomplete on purpose.
 */
function mayBeHandler(
  { compiler, names }: Search,
  { parent, properties }: ts.ObjectLiteralExpression,
): boolean {
  const isAsserted =
    compiler.isTypeAssertionExpression(parent) ||
    (compiler.isAsExpression(parent) && parent.type.getText() !== "const");
  if (isAsserted) return false;
  return (
    properties.length === 0 ||
    properties.some(
      (property) =>
        compiler.isSpreadAssignment(property) ||
        compiler.isMethodDeclaration(property) ||
        (compiler.isPropertyAssignment(property) &&
          compiler.isArrowFunction(property.initializer)) ||
        names.has(property.name.getText()),
    )
  );
}

/** Whether a value that is created elsewhere is used where a handler can be. */
function isReference(
  { compiler, names }: Search,
  node: ts.Node,
): node is ts.Expression {
  const isValue =
    compiler.isIdentifier(node) ||
    compiler.isNewExpression(node) ||
    compiler.isCallExpression(node);
  if (!isValue) return false;
  const { parent } = node;
  return (
    (compiler.isPropertyAssignment(parent) &&
      parent.initializer === node &&
      names.has(parent.name.getText())) ||
    (compiler.isShorthandPropertyAssignment(parent) &&
      names.has(parent.name.text)) ||
    (compiler.isVariableDeclaration(parent) &&
      parent.initializer === node &&
      parent.type !== undefined) ||
    compiler.isSatisfiesExpression(parent) ||
    compiler.isReturnStatement(parent)
  );
}

/** Lists the properties of a type that are methods of the contract. */
function methodsOf(
  { checker, declarations }: Search,
  type: ts.Type,
): readonly (readonly [ts.Symbol, HandledMethod])[] {
  return checker
    .getPropertiesOfType(checker.getApparentType(type))
    .flatMap((property) => {
      const declaration = property.declarations?.[0];
      const method = declaration && declarations.get(declaration);
      return method === undefined ? [] : [[property, method] as const];
    });
}

function note(
  search: Search,
  node: Implementation["node"],
  type: ts.Type,
  isTyped: boolean,
): void {
  for (const target of type.isUnion() ? type.types : [type]) {
    const methods = methodsOf(search, target);
    if (methods.length === 0) continue;
    const draft = search.found.get(node) ?? {
      targets: new Set(),
      allowed: new Set(),
      required: new Set(),
      isTyped: false,
    };
    search.found.set(node, draft);
    draft.targets.add(target);
    draft.isTyped ||= isTyped;
    for (const [{ flags }, method] of methods) {
      draft.allowed.add(method);
      const isOptional = (flags & search.compiler.SymbolFlags.Optional) !== 0;
      if (!isOptional) draft.required.add(method);
    }
  }
}

function complete(
  search: Search,
  node: Implementation["node"],
  draft: Draft,
): Implementation {
  const { checker, compiler } = search;
  const type = instanceOf(search, node);
  const isAny = (type.flags & compiler.TypeFlags.Any) !== 0;
  const members = membersOf(search, node);
  const isKnown = (name: string): boolean =>
    [...draft.targets].some(
      (target) =>
        checker.getPropertyOfType(target, name) !== undefined ||
        checker.getIndexInfosOfType(target).length > 0,
    );
  const isSuspect = (member: ts.Node): boolean =>
    compiler.isObjectLiteralExpression(node) && draft.isTyped
      ? true
      : isHandlerMethod(search, member);
  return {
    source: node.getSourceFile(),
    node,
    members,
    allowed: draft.allowed,
    missing: [...draft.required].filter(
      ({ property }) =>
        !isAny && checker.getPropertyOfType(type, property) === undefined,
    ),
    unknown: new Map(
      [...members].filter(
        ([name, member]) => !isKnown(name) && isSuspect(member),
      ),
    ),
    isTyped: draft.isTyped,
  };
}

/** Returns the type of an object, or of the instances of a class. */
function instanceOf(
  { checker, compiler }: Search,
  node: Implementation["node"],
): ts.Type {
  const type = checker.getTypeAtLocation(node);
  if (!compiler.isClassExpression(node)) return type;
  const [made] = type.getConstructSignatures();
  return made?.getReturnType() ?? type;
}

function membersOf(
  { compiler }: Search,
  node: Implementation["node"],
): ReadonlyMap<string, ts.NamedDeclaration> {
  const members: readonly ts.NamedDeclaration[] = compiler.isClassLike(node)
    ? node.members
    : node.properties;
  return new Map(
    members.flatMap((member) => {
      const { name } = member;
      const isNamed =
        name !== undefined &&
        (compiler.isIdentifier(name) || compiler.isStringLiteralLike(name));
      return isNamed ? [[name.text, member] as const] : [];
    }),
  );
}

/**
 * Whether a member has the form of a handler's method: its types are generated
 * or no longer exist.
 */
function isHandlerMethod(search: Search, member: ts.Node): boolean {
  const { compiler } = search;
  if (compiler.isPropertyDeclaration(member)) {
    const { initializer } = member;
    return (
      initializer !== undefined &&
      compiler.isArrowFunction(initializer) &&
      hasHandlerForm(search, member, initializer)
    );
  }
  return (
    compiler.isMethodDeclaration(member) &&
    hasHandlerForm(search, member, member)
  );
}

function hasHandlerForm(
  search: Search,
  member: ts.Declaration,
  { parameters, type }: ts.SignatureDeclaration,
): boolean {
  const { compiler } = search;
  const { Private, Protected, Static } = compiler.ModifierFlags;
  const hidden = Private | Protected | Static;
  const [request] = parameters;
  return (
    (compiler.getCombinedModifierFlags(member) & hidden) === 0 &&
    request?.type !== undefined &&
    namesGenerated(search, request.type) &&
    (type === undefined || namesGenerated(search, type))
  );
}

/** Whether a type or part of it is generated or does not exist. */
function namesGenerated(search: Search, type: ts.Node): boolean {
  const { checker, compiler } = search;
  if (compiler.isTypeReferenceNode(type)) {
    const { typeName } = type;
    const symbol = checker.getSymbolAtLocation(typeName);
    const isAlias =
      symbol !== undefined && (symbol.flags & compiler.SymbolFlags.Alias) !== 0;
    const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    const [declaration] = target?.declarations ?? [];
    if (declaration === undefined) return true;
    const { fileName } = declaration.getSourceFile();
    if (fileName.startsWith(`${search.output}/`)) return true;
  }
  return (
    compiler.forEachChild(
      type,
      (child) => namesGenerated(search, child) || undefined,
    ) === true
  );
}
