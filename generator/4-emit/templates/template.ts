import type { Location, Source } from "../../source/source.js";

/** A parsed template: a file of a set, or a partial. */
export interface Template {
  /** Path in the set without its extension, e.g. `type/struct`. */
  readonly name: string;
  readonly source: Source;
  readonly body: readonly TemplatePart[];
}

/** A template that is a file, and the record that it prints. */
export interface Entry {
  readonly template: Template;
  /** Name of the record, e.g. `ContractView`. */
  readonly record: string;
}

/** A part of a template. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "print";
      readonly value: Expression;
      readonly location: Location;
    }
  | {
      readonly kind: "condition";
      readonly condition: Expression;
      /** What is printed if the condition holds. */
      readonly body: readonly TemplatePart[];
      readonly otherwise: readonly TemplatePart[];
    }
  | {
      readonly kind: "each";
      readonly list: Expression;
      readonly body: readonly TemplatePart[];
      /** What is printed if the list is empty. */
      readonly otherwise: readonly TemplatePart[];
    }
  | PartialCall;

/** A call of a partial. */
export interface PartialCall {
  readonly kind: "partial";
  /** The name, or the parts of a name of which some depend on the view. */
  readonly name: readonly Expression[];
  readonly context: Expression;
  readonly parameters: readonly (readonly [string, Expression])[];
  /**
   * Whether the call shares its line with other text. Then the last line break
   * of the partial is not printed.
   */
  readonly isInline: boolean;
  /** The white space before the call, which begins each line of the partial. */
  readonly indent: string;
  readonly location: Location;
}

/** Something that has a value. */
export type Expression =
  | PathExpression
  | {
      /** Whether an element is the first or the last, and its number from 0. */
      readonly kind: "position";
      readonly name: "first" | "last" | "index";
      readonly location: Location;
    }
  | {
      readonly kind: "literal";
      readonly value: string | number;
      readonly location: Location;
    }
  | {
      readonly kind: "call";
      readonly helper: string;
      readonly arguments: readonly Expression[];
      readonly location: Location;
    };

/** A path in the view, e.g. `../host.name`. */
export interface PathExpression {
  readonly kind: "path";
  /** The number of `../`. */
  readonly depth: number;
  /** The names. Empty for `this`. */
  readonly names: readonly string[];
  readonly location: Location;
}
