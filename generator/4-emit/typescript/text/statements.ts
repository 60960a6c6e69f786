import type { Doc } from "./format.js";

/**
 * What a generated file declares, as data: how it is written depends on the
 * kind of file (`forms/`).
 */
export type Statement =
  | TypeStatement
  | FunctionStatement
  | ConstantStatement
  | ClassStatement
  | ReexportStatement
  | ReexportAllStatement;

/** An exported interface or alias: the same wherever there are types. */
export interface TypeStatement {
  readonly kind: "type";
  /** With its doc comment. */
  readonly text: string;
}

/** A function. */
export interface FunctionStatement {
  readonly kind: "function";
  /** Lines of its doc comment, inert; see `docLines`. */
  readonly docs: readonly string[];
  readonly isExported: boolean;
  readonly name: string;
  /** E.g. `State = undefined`. */
  readonly typeParameter?: string;
  readonly parameters: readonly Parameter[];
  readonly returns: Doc;
  readonly body: readonly Doc[];
}

/** A parameter of a function or constructor. */
export interface Parameter {
  readonly name: string;
  readonly type: Doc;
  readonly isOptional?: true;
  /** What it is unless given, e.g. `{}`. */
  readonly initial?: string;
}

/** A constant. */
export interface ConstantStatement {
  readonly kind: "constant";
  readonly docs: readonly string[];
  readonly isExported: boolean;
  readonly name: string;
  /** Its annotation; null where TypeScript infers the type. */
  readonly type: Doc | null;
  /**
   * The type in declarations where there is no annotation: of what is exported,
   * unless it is a plain literal, and of what types refer to.
   */
  readonly declared?: () => Doc;
  /**
   * The declaration without its semicolon.
   * Input: `export const name: Type`; what lays out a part of it by itself.
   */
  readonly assign: (head: Doc, layOut: LayOut) => Doc;
}

/** Lays out code as its file has it, with so many columns lost; see `render`. */
export type LayOut = (code: Doc, lostColumns?: number) => string;

/** An exported class. */
export interface ClassStatement {
  readonly kind: "class";
  readonly docs: readonly string[];
  readonly name: string;
  readonly extends: string;
  /** Of the class that it extends, e.g. `"NotFound"`. */
  readonly typeArgument?: string;
  /** Static properties, which override, e.g. `errorName` with `"NotFound"`. */
  readonly statics: readonly {
    readonly name: string;
    readonly value: string;
  }[];
  /** None: that of the class that it extends. */
  readonly ctor: ConstructorParts | null;
}

/** A constructor. */
export interface ConstructorParts {
  readonly parameter: Parameter;
  readonly body: readonly Doc[];
}

/** `export { … } from "…"`. */
export interface ReexportStatement {
  readonly kind: "reexport";
  readonly from: string;
  readonly names: readonly ReexportedName[];
}

/** `export * from "…"`, a line for each file. */
export interface ReexportAllStatement {
  readonly kind: "reexport-all";
  readonly from: readonly string[];
}

/** A name that is exported again. */
export interface ReexportedName {
  /** E.g. `GetRequest as getRequest`. */
  readonly name: string;
  readonly isType: boolean;
}
