/**
 * The parser of Handlebars. The package declares no types for this file, and
 * ridlkit bundles nothing else of Handlebars.
 */
declare module "handlebars/dist/cjs/handlebars/compiler/base.js" {
  export interface Place {
    /** The first line is 1, the first column 0. */
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  }

  export interface Program {
    readonly body: readonly Statement[];
    readonly blockParams?: readonly string[];
  }

  export type Statement =
    | {
        readonly type: "ContentStatement";
        readonly value: string;
        /** Whether white space before the text was removed. */
        readonly rightStripped?: boolean;
      }
    | { readonly type: "CommentStatement" }
    | (Callee & { readonly type: "MustacheStatement"; readonly loc: Place })
    | (Callee & {
        readonly type: "BlockStatement";
        readonly program?: Program;
        readonly inverse?: Program;
        readonly loc: Place;
      })
    | {
        readonly type: "PartialStatement";
        readonly name: Expression;
        readonly params: readonly Expression[];
        readonly hash?: Hash;
        /** The white space before a partial on a line of its own. */
        readonly indent: string;
        readonly strip: { readonly close: boolean };
        readonly loc: Place;
      }
    | { readonly type: "PartialBlockStatement"; readonly loc: Place }
    | { readonly type: "Decorator"; readonly loc: Place }
    | { readonly type: "DecoratorBlock"; readonly loc: Place };

  interface Callee {
    readonly path: Expression;
    readonly params: readonly Expression[];
    readonly hash?: Hash;
  }

  export interface Hash {
    readonly pairs: readonly {
      readonly key: string;
      readonly value: Expression;
      readonly loc: Place;
    }[];
  }

  export type Expression =
    | {
        readonly type: "PathExpression";
        readonly data: boolean;
        readonly depth: number;
        readonly parts: readonly string[];
        readonly original: string;
        readonly loc: Place;
      }
    | (Callee & { readonly type: "SubExpression"; readonly loc: Place })
    | {
        readonly type: "StringLiteral";
        readonly value: string;
        readonly loc: Place;
      }
    | {
        readonly type: "NumberLiteral";
        readonly value: number;
        readonly loc: Place;
      }
    | {
        readonly type: "BooleanLiteral" | "UndefinedLiteral" | "NullLiteral";
        readonly loc: Place;
      };

  /** Errors: an `Error` with the parser's message. */
  export function parse(text: string): Program;
}
