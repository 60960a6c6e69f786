import type { Doc } from "./format.js";

/**
 * Declarations as ts-morph structures, with the properties that the printer
 * supports. ts-morph's own printer accepts them too. For code, custom emitters
 * use strings, and ridlkit's own emitters use layouts.
 */
export type Structure<Text = Doc> =
  | ClassStructure<Text>
  | ExportStructure
  | FunctionStructure<Text>
  | ImportStructure
  | InterfaceStructure<Text>
  | TypeAliasStructure<Text>
  | VariableStructure<Text>;

/** Values of `StructureKind` in ts-morph. */
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

/** A declaration with a doc comment: one line, or several. */
interface Documented {
  docs?: string[];
}

/** The common properties of declarations. */
interface Declared extends Documented {
  name: string;
  isExported?: boolean;
}

/** An interface. */
export interface InterfaceStructure<Text = Doc> extends Declared {
  kind: typeof kinds.interface;
  typeParameters?: string[];
  extends?: string[];
  properties?: PropertyMember<Text>[];
  methods?: MethodMember<Text>[];
}

/** A property of an interface. */
export interface PropertyMember<Text = Doc> extends Documented {
  kind: typeof kinds.propertySignature;
  /** The name, in quotes if necessary. */
  name: string;
  type: Text;
  hasQuestionToken?: boolean;
  isReadonly?: boolean;
}

/** A method of an interface. */
export interface MethodMember<Text = Doc> extends Documented {
  kind: typeof kinds.methodSignature;
  /** The name, in quotes if necessary. */
  name: string;
  parameters?: Parameter<Text>[];
  returnType: Text;
}

/** A parameter of a function, method or constructor. */
export interface Parameter<Text = Doc> {
  name: string;
  type: Text;
  hasQuestionToken?: boolean;
  /** The default value, e.g. `{}`. */
  initializer?: string;
}

/** A function. */
export interface FunctionStructure<Text = Doc> extends Declared {
  kind: typeof kinds.function;
  typeParameters?: string[];
  parameters?: Parameter<Text>[];
  returnType: Text;
  statements: Text[];
}

/** A type alias. */
export interface TypeAliasStructure<Text = Doc> extends Declared {
  kind: typeof kinds.typeAlias;
  typeParameters?: string[];
  type: Text;
}

/** A constant. */
export interface VariableStructure<Text = Doc> extends Documented {
  kind: typeof kinds.variable;
  isExported?: boolean;
  declarationKind: "const";
  declarations: [Variable<Text>];
}

/** The name, type and value of a constant. */
export interface Variable<Text = Doc> {
  name: string;
  type?: Text;
  initializer: Text;
  /**
   * An extension of ts-morph's structure: the type in `.d.ts` files where code
   * has no annotation. An exported constant without either is a literal. A
   * constant that is not exported is declared only if it has this property.
   */
  declaredType?: Text;
}

/** A class. */
export interface ClassStructure<Text = Doc> extends Declared {
  kind: typeof kinds.class;
  extends?: Text;
  properties?: ClassProperty[];
  ctors?: [ClassConstructor<Text>] | [];
}

/** A property of a class. */
export interface ClassProperty {
  name: string;
  initializer: string;
  isStatic?: boolean;
  isReadonly?: boolean;
  hasOverrideKeyword?: boolean;
}

/** The constructor of a class. */
export interface ClassConstructor<Text = Doc> {
  parameters: Parameter<Text>[];
  statements: Text[];
}

/** An import declaration with names. */
export interface ImportStructure {
  kind: typeof kinds.import;
  isTypeOnly?: boolean;
  moduleSpecifier: string;
  namedImports: Specifier[];
}

/** A re-export. It exports everything if it has no names. */
export interface ExportStructure {
  kind: typeof kinds.export;
  isTypeOnly?: boolean;
  moduleSpecifier: string;
  namedExports?: Specifier[];
}

/** A name that is imported or re-exported. */
export interface Specifier {
  name: string;
  alias?: string;
  isTypeOnly?: boolean;
}
