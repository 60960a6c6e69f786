import { isRecord } from "../../ir/is-record.js";
import { reservedWords, typeWords } from "../typescript/names/reserved.js";
import { quoteTaggedComment } from "../typescript/text/quote.js";
import {
  kinds,
  type ClassConstructor,
  type ClassProperty,
  type ClassStructure,
  type ExportStructure,
  type FunctionStructure,
  type ImportStructure,
  type InterfaceStructure,
  type MethodMember,
  type Parameter,
  type PropertyMember,
  type Specifier,
  type TypeAliasStructure,
  type Variable,
  type VariableStructure,
} from "../typescript/text/structures.js";
import type { Statement } from "./emit-function.js";

/** Valid statements, or a description of the first fault. */
export type ReadStatements =
  { readonly statements: readonly Statement[] } | { readonly fault: string };

/**
 * Validates the statements that a custom emitter returns, and escapes their doc
 * comments.
 *
 * Returns the statements or the first fault, e.g. "`statements[0].name` must be
 * an identifier".
 */
export function readStatements(value: unknown): ReadStatements {
  const statements = withInertDocs(value);
  const fault = listOf(statement)(statements, "statements");
  if (fault !== null) return { fault };
  return { statements: isChecked(statements) ? statements : [] };
}

/** Narrows a value that passed the check: the shapes below match the types. */
function isChecked(value: unknown): value is readonly Statement[] {
  return Array.isArray(value);
}

/** Describes what is wrong with the value at `place`, if anything. */
type Check = (value: unknown, place: string) => string | null;

/** The check of each property of a structure. */
type Shape<Of> = Readonly<Record<keyof Of, Check>>;

const text: Check = (value, place) =>
  typeof value === "string" ? null : `\`${place}\` must be a string`;

const flag: Check = (value, place) =>
  value === undefined || typeof value === "boolean"
    ? null
    : `\`${place}\` must be true or false`;

const identifier: Check = (value, place) =>
  typeof value === "string" &&
  /^[$_\p{ID_Start}][$\p{ID_Continue}]*$/u.test(value)
    ? null
    : `\`${place}\` must be an identifier`;

/** The name of a value, which cannot be a reserved word. */
const valueName: Check = (value, place) =>
  identifier(value, place) ??
  (reservedWords.has(String(value))
    ? `\`${place}\` must not be the reserved word \`${String(value)}\``
    : null);

/** The name of a type, which cannot be a reserved word or a type of TypeScript. */
const typeName: Check = (value, place) =>
  valueName(value, place) ??
  (typeWords.has(String(value))
    ? `\`${place}\` must not be the name of TypeScript's own type \`${String(value)}\``
    : null);

function optional(check: Check): Check {
  return (value, place) => (value === undefined ? null : check(value, place));
}

/** Checks the elements of a list and how many there are. */
function listOf(check: Check, minCount = 0, maxCount = Infinity): Check {
  return (value, place) => {
    if (!Array.isArray(value)) return `\`${place}\` must be an array`;
    if (value.length < minCount) {
      return `\`${place}\` must have at least ${minCount} element`;
    }
    if (value.length > maxCount) {
      return `\`${place}\` must have at most ${maxCount} element`;
    }
    return firstFault(value.entries(), (index, each) =>
      check(each, `${place}[${index}]`),
    );
  };
}

function firstFault<Key, Value>(
  entries: Iterable<readonly [Key, Value]>,
  check: (key: Key, value: Value) => string | null,
): string | null {
  for (const [key, value] of entries) {
    const fault = check(key, value);
    if (fault !== null) return fault;
  }
  return null;
}

function objectOf<Of>(shape: Shape<Of>): Check {
  const checks = new Map<string, Check>(Object.entries(shape));
  const known = [...checks.keys()].map((key) => `\`${key}\``).join(", ");
  return (value, place) => {
    if (!isRecord(value)) return `\`${place}\` must be an object`;
    const other = Object.keys(value).find((key) => !checks.has(key));
    if (other !== undefined) {
      return `\`${place}.${other}\` is not supported; the supported properties are ${known}`;
    }
    return firstFault(checks, (key, check) =>
      check(value[key], `${place}.${key}`),
    );
  };
}

function kindOf(name: keyof typeof kinds): Check {
  return (value, place) =>
    value === kinds[name]
      ? null
      : `\`${place}\` must be ${kinds[name]} (\`kinds.${name}\`)`;
}

const texts = optional(listOf(text));
const declared = { docs: texts, name: valueName, isExported: flag };
const declaredType = { ...declared, name: typeName };

const parameter = objectOf<Parameter>({
  name: valueName,
  type: text,
  hasQuestionToken: flag,
  initializer: optional(text),
});

const property = objectOf<PropertyMember>({
  kind: kindOf("propertySignature"),
  docs: texts,
  name: text,
  type: text,
  hasQuestionToken: flag,
  isReadonly: flag,
});

const method = objectOf<MethodMember>({
  kind: kindOf("methodSignature"),
  docs: texts,
  name: text,
  parameters: optional(listOf(parameter)),
  returnType: text,
});

const variable = objectOf<Variable>({
  name: valueName,
  type: optional(text),
  initializer: text,
  declaredType: optional(text),
});

const classProperty = objectOf<ClassProperty>({
  name: text,
  initializer: text,
  isStatic: flag,
  // Declarations (`.d.ts`) contain the value, so it must not change.
  isReadonly: (value, place) =>
    value === true ? null : `\`${place}\` must be true`,
  hasOverrideKeyword: flag,
});

const classConstructor = objectOf<ClassConstructor>({
  parameters: listOf(parameter),
  statements: listOf(text),
});

const specifiers = listOf(
  objectOf<Specifier>({
    name: identifier,
    alias: optional(identifier),
    isTypeOnly: flag,
  }),
  1,
);

function structure<Of>(
  kind: keyof typeof kinds,
  shape: Shape<Omit<Of, "kind">>,
): readonly [number, Check] {
  return [kinds[kind], objectOf({ kind: kindOf(kind), ...shape })];
}

const structures = new Map([
  structure<ClassStructure>("class", {
    ...declaredType,
    extends: optional(text),
    properties: optional(listOf(classProperty)),
    ctors: optional(listOf(classConstructor, 0, 1)),
  }),
  structure<ExportStructure>("export", {
    isTypeOnly: flag,
    moduleSpecifier: text,
    namedExports: optional(specifiers),
  }),
  structure<FunctionStructure>("function", {
    ...declared,
    typeParameters: texts,
    parameters: optional(listOf(parameter)),
    returnType: text,
    statements: listOf(text),
  }),
  structure<ImportStructure>("import", {
    isTypeOnly: flag,
    moduleSpecifier: text,
    namedImports: specifiers,
  }),
  structure<InterfaceStructure>("interface", {
    ...declaredType,
    typeParameters: texts,
    extends: texts,
    properties: optional(listOf(property)),
    methods: optional(listOf(method)),
  }),
  structure<TypeAliasStructure>("typeAlias", {
    ...declaredType,
    typeParameters: texts,
    type: text,
  }),
  structure<VariableStructure>("variable", {
    docs: texts,
    isExported: flag,
    declarationKind: (value, place) =>
      value === "const" ? null : `\`${place}\` must be "const"`,
    declarations: listOf(variable, 1, 1),
  }),
]);

const statement: Check = (value, place) => {
  if (typeof value === "string") return null;
  if (!isRecord(value)) return `\`${place}\` must be a string or an object`;
  const check = structures.get(Number(value["kind"]));
  return check === undefined
    ? `\`${place}.kind\` must be one of ${statementKinds}`
    : check(value, place);
};

const statementKinds = Object.entries(kinds)
  .filter(([, kind]) => structures.has(kind))
  .map(([name, kind]) => `${kind} (\`kinds.${name}\`)`)
  .join(", ");

/** Escapes comment terminators and compiler directives in doc comments. */
function withInertDocs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withInertDocs);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "docs" && Array.isArray(inner)
        ? inner.map(inertDoc)
        : withInertDocs(inner),
    ]),
  );
}

function inertDoc(value: unknown): unknown {
  return typeof value === "string"
    ? quoteTaggedComment(value.split("\n")).join("\n")
    : value;
}
