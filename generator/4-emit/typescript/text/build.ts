import { docsOf } from "./docs.js";
import type { Doc } from "./format.js";
import {
  kinds,
  type ExportStructure,
  type FunctionStructure,
  type InterfaceStructure,
  type MethodMember,
  type Parameter,
  type PropertyMember,
  type TypeAliasStructure,
  type Variable,
  type VariableStructure,
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
  const kind = kinds.propertySignature;
  return { kind, docs: docsOf(docs), name, hasQuestionToken, type };
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
  returnType: Doc,
): MethodMember {
  const kind = kinds.methodSignature;
  return {
    kind,
    docs: docsOf(docs),
    name,
    parameters: [...parameters],
    returnType,
  };
}

/** Builds an exported interface: its properties, then its methods. */
export function buildInterface(
  docs: readonly string[],
  name: string,
  members: readonly Member[],
  extended: readonly string[] = [],
  typeParameters: readonly string[] = [],
): InterfaceStructure {
  return {
    kind: kinds.interface,
    docs: docsOf(docs),
    isExported: true,
    name,
    typeParameters: [...typeParameters],
    extends: [...extended],
    properties: members.filter((each) => each.kind === kinds.propertySignature),
    methods: members.filter((each) => each.kind === kinds.methodSignature),
  };
}

/** Builds an exported type alias. */
export function buildAlias(
  docs: readonly string[],
  name: string,
  type: Doc,
): TypeAliasStructure {
  const kind = kinds.typeAlias;
  return { kind, docs: docsOf(docs), isExported: true, name, type };
}

/** Builds an exported function. */
export function buildFunction(
  docs: readonly string[],
  name: string,
  parameters: readonly Parameter[],
  returnType: Doc,
  body: readonly Doc[],
): FunctionStructure {
  return {
    kind: kinds.function,
    docs: docsOf(docs),
    isExported: true,
    name,
    parameters: [...parameters],
    returnType,
    statements: [...body],
  };
}

/** Builds an exported constant with its type. */
export function buildConstant(
  docs: readonly string[],
  name: string,
  type: Doc,
  initializer: Doc,
): VariableStructure {
  return constantOf(docs, true, { name, type, initializer });
}

/** Builds a local constant, which `.d.ts` files omit. */
export function buildLocal(
  name: string,
  initializer: Doc,
  type?: Doc,
): VariableStructure {
  const variable = { name, initializer, ...(type && { type }) };
  return constantOf([], false, variable);
}

/** Builds a local constant that exported types refer to. */
export function buildReferred(
  name: string,
  type: Doc,
  initializer: Doc,
): VariableStructure {
  return constantOf([], false, { name, type, declaredType: type, initializer });
}

/** A constant whose type TypeScript infers. */
export interface InferredConstant {
  readonly docs?: readonly string[];
  /** Whether it is exported. If not, it exists for types to refer to. */
  readonly isExported: boolean;
  readonly name: string;
  readonly value: Doc;
  /** The type in `.d.ts` files. Absent if the value is a literal. */
  readonly declared?: Doc;
}

/** Builds a constant whose type TypeScript infers. */
export function buildInferred({
  declared,
  docs = [],
  isExported,
  name,
  value,
}: InferredConstant): VariableStructure {
  const variable = {
    name,
    initializer: value,
    ...(declared !== undefined && { declaredType: declared }),
  };
  return constantOf(docs, isExported, variable);
}

function constantOf(
  docs: readonly string[],
  isExported: boolean,
  variable: Variable,
): VariableStructure {
  return {
    kind: kinds.variable,
    docs: docsOf(docs),
    isExported,
    declarationKind: "const",
    declarations: [variable],
  };
}

/** Builds `export * from "…"`. */
export function buildReexport(moduleSpecifier: string): ExportStructure {
  return { kind: kinds.export, moduleSpecifier };
}
