import { invariant } from "../../ir/invariant.js";
import { isRecord } from "../../ir/is-record.js";
import { defaultNameRules, type StringRules } from "../names/name-rules.js";
import { findHelper, holds } from "./template-helpers.js";
import type {
  Expression,
  TemplatePart,
  PartialCall,
  PathExpression,
  Template,
} from "./template.js";

/** The values that the paths of a template refer to. */
interface Scope {
  readonly value: unknown;
  /** The parameters of the partial, or null outside of its first scope. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  /** The scope that `../` refers to. */
  readonly outer: Scope | null;
  readonly index: number;
  readonly isLast: boolean;
}

/** Prints into a scope. */
type Print = (scope: Scope) => string;

/**
 * Turns templates into functions. They do what Handlebars would do without
 * escaping HTML, but interpret the templates, so that no code is created.
 *
 * Input: templates by name, which have passed the check, and how the set writes
 * strings. Errors: an invariant
 * fails if they have not.
 */
export function createRender(
  templates: ReadonlyMap<string, Template>,
  strings: StringRules = defaultNameRules.strings,
): (template: string, record: object) => string {
  const compiler = new Compiler(templates, strings);
  return (name, record) =>
    compiler
      .find(name)(scopeOf(record, null))
      // Empty lines of doc comments, which templates indent.
      .replace(/^[ \t]+$/gmu, "");
}

class Compiler {
  readonly #templates: ReadonlyMap<string, Template>;
  readonly #strings: StringRules;
  readonly #compiled = new Map<string, Print>();

  constructor(templates: ReadonlyMap<string, Template>, strings: StringRules) {
    this.#templates = templates;
    this.#strings = strings;
  }

  /** Returns a template as a function. It is compiled when it is first used. */
  find(name: string): Print {
    const known = this.#compiled.get(name);
    if (known !== undefined) return known;
    const print = this.#partsOf(this.#templateOf(name).body);
    this.#compiled.set(name, print);
    return print;
  }

  #templateOf(name: string): Template {
    const template = this.#templates.get(name);
    invariant(template !== undefined, `there is no template ${name}`);
    return template;
  }

  #partsOf(parts: readonly TemplatePart[]): Print {
    const prints = parts.map((part) => this.#partOf(part));
    const [only] = prints;
    if (prints.length === 1 && only !== undefined) return only;
    return (scope) => {
      let text = "";
      for (const print of prints) text += print(scope);
      return text;
    };
  }

  #partOf(part: TemplatePart): Print {
    switch (part.kind) {
      case "text":
        return () => part.text;
      case "print": {
        const valueOf = this.#valueOf(part.value);
        return (scope) => String(valueOf(scope));
      }
      case "condition": {
        const conditionOf = this.#valueOf(part.condition);
        const body = this.#partsOf(part.body);
        const otherwise = this.#partsOf(part.otherwise);
        return (scope) =>
          holds(conditionOf(scope)) ? body(scope) : otherwise(scope);
      }
      case "each":
        return this.#loopOf(part);
      case "partial":
        return this.#callOf(part);
    }
  }

  #loopOf(part: Extract<TemplatePart, { kind: "each" }>): Print {
    const listOf = this.#valueOf(part.list);
    const body = this.#partsOf(part.body);
    const otherwise = this.#partsOf(part.otherwise);
    return (outer) => {
      const list = listOf(outer);
      if (!Array.isArray(list) || list.length === 0) return otherwise(outer);
      const last = list.length - 1;
      let text = "";
      for (const [index, value] of list.entries()) {
        const isLast = index === last;
        text += body({ value, parameters: null, outer, index, isLast });
      }
      return text;
    };
  }

  #callOf({ context, indent, isInline, name, parameters }: PartialCall): Print {
    const parts = name.map((each) => this.#valueOf(each));
    const contextOf = this.#valueOf(context);
    const values = parameters.map(
      ([key, value]) => [key, this.#valueOf(value)] as const,
    );
    return (scope) => {
      const called = parts.map((valueOf) => String(valueOf(scope))).join("");
      const given =
        values.length === 0
          ? null
          : Object.fromEntries(
              values.map(([key, valueOf]) => [key, valueOf(scope)]),
            );
      const print = this.find(called);
      const whole = print(scopeOf(contextOf(scope), given));
      const hasBreak = isInline && endsWithBreak(this.#templateOf(called));
      const text = hasBreak ? whole.replace(/\r?\n$/u, "") : whole;
      return indent === "" ? text : indentLines(text, indent);
    };
  }

  #valueOf(expression: Expression): ValueOf {
    return compileExpression(expression, this.#strings);
  }
}

function scopeOf(value: unknown, parameters: Scope["parameters"]): Scope {
  return { value, parameters, outer: null, index: 0, isLast: true };
}

type ValueOf = (scope: Scope) => unknown;

function compileExpression(
  expression: Expression,
  strings: StringRules,
): ValueOf {
  switch (expression.kind) {
    case "literal":
      return () => expression.value;
    case "path":
      return compilePath(expression);
    case "position":
      switch (expression.name) {
        case "first":
          return ({ index }) => index === 0;
        case "last":
          return ({ isLast }) => isLast;
        case "index":
          return ({ index }) => index;
      }
      break;
    case "call": {
      const helper = findHelper(expression.helper);
      invariant(helper !== undefined, `no helper ${expression.helper}`);
      const values = expression.arguments.map((each) =>
        compileExpression(each, strings),
      );
      return (scope) => {
        const given = values.map((valueOf) => valueOf(scope));
        return helper.run(given, strings);
      };
    }
  }
}

function compilePath({ depth, names }: PathExpression): ValueOf {
  const [first, ...rest] = names;
  return (scope) => {
    let from: Scope | null = scope;
    for (let up = 0; up < depth && from !== null; up++) from = from.outer;
    if (from === null || first === undefined) return from?.value;
    const { parameters, value } = from;
    let found =
      parameters !== null && Object.hasOwn(parameters, first)
        ? parameters[first]
        : memberOf(value, first);
    for (const name of rest) found = memberOf(found, name);
    return found;
  };
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name)
    ? value[name]
    : undefined;
}

/** Adds white space to the lines of a text that are not empty. */
function indentLines(text: string, indent: string): string {
  return text.replace(/(^|\n)(?=[^\r\n])/gu, `$1${indent}`);
}

/**
 * Whether the text of a template ends with a line break, which whatever comes last
 * prints: text, a block, or another partial.
 */
function endsWithBreak({ body, source }: Template): boolean {
  return source.text.endsWith("\n") && body.at(-1)?.kind !== "print";
}
