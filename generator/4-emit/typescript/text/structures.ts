import type {
  ClassDeclarationStructure,
  ExportDeclarationStructure,
  FunctionDeclarationStructure,
  ImportDeclarationStructure,
  ImportSpecifierStructure,
  InterfaceDeclarationStructure,
  MethodSignatureStructure,
  ParameterDeclarationStructure,
  PropertyDeclarationStructure,
  PropertySignatureStructure,
  TypeAliasDeclarationStructure,
  VariableDeclarationKind,
  VariableDeclarationStructure,
  VariableStatementStructure,
} from "ts-morph";
import type { Code } from "./code.js";

/**
 * Declarations as structures of ts-morph, of which these types pick what the
 * printer knows. Only types are imported, so ts-morph is never loaded.
 */
export type Structure =
  | ClassStructure
  | ExportStructure
  | FunctionStructure
  | ImportStructure
  | InterfaceStructure
  | TypeAliasStructure
  | VariableStructure;

/** Numbers of `StructureKind` in ts-morph. A wrong one is a type error below. */
export const kinds = {
  class: 2,
  export: 11,
  function: 13,
  import: 16,
  interface: 19,
  methodSignature: 28,
  propertySignature: 33,
  typeAlias: 38,
  variable: 41,
} as const;

/** `VariableDeclarationKind.Const` of ts-morph, whose default is `let`. */
export const constKind = "const" as VariableDeclarationKind.Const;

/** A doc comment: one line, or several after a line break. */
interface Documented {
  docs?: string[];
}

/** An interface. */
export interface InterfaceStructure
  extends
    Documented,
    Pick<InterfaceDeclarationStructure, "kind" | "isExported" | "name"> {
  kind: typeof kinds.interface;
  typeParameters?: string[];
  extends?: string[];
  properties?: PropertyMember[];
  methods?: MethodMember[];
}

/** A property of an interface. */
export interface PropertyMember
  extends
    Documented,
    Pick<
      PropertySignatureStructure,
      "kind" | "hasQuestionToken" | "isReadonly" | "name"
    > {
  kind: typeof kinds.propertySignature;
  type: Code;
}

/** A method of an interface. */
export interface MethodMember
  extends Documented, Pick<MethodSignatureStructure, "kind" | "name"> {
  kind: typeof kinds.methodSignature;
  parameters?: Parameter[];
  returnType: Code;
}

/** A parameter of a function, method or constructor. */
export interface Parameter extends Pick<
  ParameterDeclarationStructure,
  "hasQuestionToken" | "name"
> {
  type: Code;
  /** The value if none is given, e.g. `{}`. */
  initializer?: string;
}

/** A function. */
export interface FunctionStructure
  extends
    Documented,
    Pick<FunctionDeclarationStructure, "kind" | "isExported"> {
  kind: typeof kinds.function;
  name: string;
  typeParameters?: string[];
  parameters?: Parameter[];
  returnType: Code;
  statements: Code[];
}

/** A type alias. */
export interface TypeAliasStructure
  extends
    Documented,
    Pick<TypeAliasDeclarationStructure, "kind" | "isExported" | "name"> {
  kind: typeof kinds.typeAlias;
  type: Code;
}

/** A constant. */
export interface VariableStructure
  extends Documented, Pick<VariableStatementStructure, "kind" | "isExported"> {
  kind: typeof kinds.variable;
  declarationKind: typeof constKind;
  declarations: [Variable];
}

/** The name, type and value of a constant. */
export interface Variable extends Pick<VariableDeclarationStructure, "name"> {
  type?: Code;
  initializer: Code;
  /**
   * An extension of ts-morph's structure: the type in `.d.ts` files where code
   * has no annotation. An exported constant without either is a literal, and
   * one that is not exported is declared only if this is given.
   */
  declaredType?: Code;
}

/** A class. */
export interface ClassStructure
  extends Documented, Pick<ClassDeclarationStructure, "kind" | "isExported"> {
  kind: typeof kinds.class;
  name: string;
  extends: Code;
  properties?: ClassProperty[];
  ctors?: [ClassConstructor] | [];
}

/** A property of a class. */
export interface ClassProperty extends Pick<
  PropertyDeclarationStructure,
  "hasOverrideKeyword" | "isReadonly" | "isStatic" | "name"
> {
  initializer: string;
}

/** The constructor of a class. */
export interface ClassConstructor {
  parameters: Parameter[];
  statements: Code[];
}

/** An import declaration with names. */
export interface ImportStructure extends Pick<
  ImportDeclarationStructure,
  "kind" | "isTypeOnly" | "moduleSpecifier"
> {
  kind: typeof kinds.import;
  namedImports: Specifier[];
}

/** A re-export: of everything if it names nothing. */
export interface ExportStructure extends Pick<
  ExportDeclarationStructure,
  "kind" | "isTypeOnly"
> {
  kind: typeof kinds.export;
  moduleSpecifier: string;
  namedExports?: Specifier[];
}

/** A name that is imported or re-exported. */
export type Specifier = Pick<
  ImportSpecifierStructure,
  "alias" | "isTypeOnly" | "name"
>;
