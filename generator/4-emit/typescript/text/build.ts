import { code } from "./code.js";
import { declare, type PrintedDeclaration, type FileForms } from "./declare.js";
import { docsOf } from "./docs.js";
import type { Doc } from "./format.js";
import {
  kinds,
  type FunctionStructure,
  type MethodMember,
  type Parameter,
  type PropertyMember,
  type Variable,
} from "./structures.js";

/** A property or method of an interface. */
export type Member = PropertyMember | MethodMember;

/** Builds a property of an interface. */
export function propertyMember(
  docs: readonly string[],
  name: string,
  type: Doc,
  hasQuestionToken = false,
): PropertyMember {
  return {
    kind: kinds.propertySignature,
    docs: docsOf(docs),
    name,
    hasQuestionToken,
    type: code(type),
  };
}

/** Builds a property of an interface that callers cannot assign. */
export function readonlyMember(
  ...parts: Parameters<typeof propertyMember>
): PropertyMember {
  return { ...propertyMember(...parts), isReadonly: true };
}

/** Builds a method of an interface. */
export function methodMember(
  docs: readonly string[],
  name: string,
  parameters: readonly Parameter[],
  returns: Doc,
): MethodMember {
  return {
    kind: kinds.methodSignature,
    docs: docsOf(docs),
    name,
    parameters: [...parameters],
    returnType: code(returns),
  };
}

/** Declares an exported interface: its properties, then its methods. */
export function buildInterface(
  imports: FileForms,
  docs: readonly string[],
  name: string,
  members: readonly Member[],
  extended: readonly string[] = [],
  typeParameters: readonly string[] = [],
): PrintedDeclaration {
  return declare(imports, {
    kind: kinds.interface,
    docs: docsOf(docs),
    isExported: true,
    name,
    typeParameters: [...typeParameters],
    extends: [...extended],
    properties: members.filter((each) => each.kind === kinds.propertySignature),
    methods: members.filter((each) => each.kind === kinds.methodSignature),
  });
}

/** Declares a type alias, exported unless the last argument denies it. */
export function buildAlias(
  imports: FileForms,
  docs: readonly string[],
  name: string,
  type: Doc,
  extras: FunctionExtras = {},
): PrintedDeclaration {
  return declare(imports, {
    kind: kinds.typeAlias,
    docs: docsOf(docs),
    isExported: true,
    name,
    type: code(type),
    ...extras,
  });
}

/** What a function may have besides its parameters and body. */
export type FunctionExtras = Pick<
  FunctionStructure,
  "isExported" | "typeParameters"
>;

/** Declares a function, exported unless the last argument denies it. */
export function buildFunction(
  imports: FileForms,
  docs: readonly string[],
  name: string,
  parameters: readonly Parameter[],
  returns: Doc,
  body: readonly Doc[],
  extras: FunctionExtras = {},
): PrintedDeclaration {
  return declare(imports, {
    kind: kinds.function,
    docs: docsOf(docs),
    isExported: true,
    name,
    parameters: [...parameters],
    returnType: code(returns),
    statements: body.map(code),
    ...extras,
  });
}

/** Declares an exported constant with its type. */
export function buildConstant(
  imports: FileForms,
  docs: readonly string[],
  name: string,
  type: Doc,
  value: Doc,
): PrintedDeclaration {
  const variable = { name, type: code(type), initializer: code(value) };
  return declareConstant(imports, docs, true, variable);
}

/** Declares a constant of the file alone, which `.d.ts` files do not have. */
export function buildLocal(
  imports: FileForms,
  name: string,
  value: Doc,
  type: Doc | null = null,
): PrintedDeclaration {
  const initializer = code(value);
  const variable = { name, ...(type && { type: code(type) }), initializer };
  return declareConstant(imports, [], false, variable);
}

/** A constant whose type TypeScript infers. */
export interface InferredConstant {
  readonly docs?: readonly string[];
  /** Whether it is exported; if not, it is there for types to refer to. */
  readonly isExported: boolean;
  readonly name: string;
  readonly value: Doc;
  /** Its type in `.d.ts` files; absent if the value is a literal. */
  readonly declared?: Doc;
}

/** Declares a constant whose type TypeScript infers. */
export function buildInferred(
  imports: FileForms,
  { declared, docs = [], isExported, name, value }: InferredConstant,
): PrintedDeclaration {
  return declareConstant(imports, docs, isExported, {
    name,
    initializer: code(value),
    ...(declared !== undefined && { declaredType: code(declared) }),
  });
}

function declareConstant(
  imports: FileForms,
  docs: readonly string[],
  isExported: boolean,
  variable: Variable,
): PrintedDeclaration {
  return declare(imports, {
    kind: kinds.variable,
    docs: docsOf(docs),
    isExported,
    declarationKind: "const",
    declarations: [variable],
  });
}

/** Declares `export * from "…"` for each file, without empty lines between. */
export function buildReexports(
  imports: FileForms,
  ...from: readonly string[]
): PrintedDeclaration {
  const structures = from.map((moduleSpecifier) => ({
    kind: kinds.export,
    moduleSpecifier,
  }));
  return declare(imports, ...structures);
}
