/// <reference path="./handlebars-parser.d.ts" />
import {
  parse,
  type Expression as ParsedExpression,
  type Hash,
  type Place,
  type Program,
  type Statement,
} from "handlebars/dist/cjs/handlebars/compiler/base.js";
import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Location, Source } from "../../source/source.js";
import { isHelper } from "./template-helpers.js";
import type { Expression, TemplatePart, Template } from "./template.js";

/**
 * Parses a template. Handlebars reads the text; constructs that could not be
 * checked against the view are refused.
 *
 * Input: the name in its set. Errors: `template-syntax`.
 */
export function parseTemplate(
  name: string,
  source: Source,
): Diagnosed<Template> {
  const parser = new Parser(source);
  try {
    const body = parser.partsOf(parse(source.text));
    return { value: { name, source, body }, diagnostics: parser.faults };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const diagnostics = [explainSyntax(error.message, source)];
    return { value: { name, source, body: [] }, diagnostics };
  }
}

class Parser {
  readonly faults: Diagnostic[] = [];
  readonly #source: Source;
  /** The offset of each line. */
  readonly #lines: readonly number[];

  constructor(source: Source) {
    this.#source = source;
    this.#lines = startsOf(source.text);
  }

  partsOf(program: Program | undefined): readonly TemplatePart[] {
    const body = program?.body ?? [];
    return body.flatMap((statement, index) =>
      this.#partOf(statement, body[index + 1]),
    );
  }

  #partOf(
    statement: Statement,
    next: Statement | undefined,
  ): readonly TemplatePart[] {
    switch (statement.type) {
      case "CommentStatement":
        return [];
      case "ContentStatement":
        return statement.value === ""
          ? []
          : [{ kind: "text", text: statement.value }];
      case "MustacheStatement": {
        const value = this.#expressionOf(statement, statement.loc);
        const location = this.#locate(statement.loc);
        return [{ kind: "print", value, location }];
      }
      case "BlockStatement":
        return this.#blockOf(statement);
      case "PartialStatement":
        return this.#partialOf(statement, next);
      case "PartialBlockStatement":
        return this.#refuse(
          statement.loc,
          "a partial with a block",
          "pass parameters: `{{> name title=…}}`",
        );
      case "Decorator":
      case "DecoratorBlock":
        return this.#refuse(
          statement.loc,
          "a decorator",
          "write a partial in a file of its own",
        );
    }
  }

  #blockOf(
    statement: Extract<Statement, { type: "BlockStatement" }>,
  ): readonly TemplatePart[] {
    const { hash, inverse, loc, params, path, program } = statement;
    const name = path.type === "PathExpression" ? path.original : "";
    const [subject, ...others] = params;
    if (program?.blockParams || inverse?.blockParams) {
      return this.#refuse(loc, "a block parameter (`as |…|`)", "use `../`");
    }
    if (subject === undefined || others.length > 0 || hash !== undefined) {
      return this.#refuse(
        loc,
        `\`{{#${name}}}\` without exactly one value`,
        "write `{{#if value}}`, `{{#unless value}}` or `{{#each values}}`",
      );
    }
    const value = this.#valueOf(subject);
    const body = this.partsOf(program);
    const otherwise = this.partsOf(inverse);
    if (name === "if") {
      return [{ kind: "condition", condition: value, body, otherwise }];
    }
    if (name === "unless") {
      return [
        {
          kind: "condition",
          condition: value,
          body: otherwise,
          otherwise: body,
        },
      ];
    }
    if (name === "each") {
      return [{ kind: "each", list: value, body, otherwise }];
    }
    return this.#refuse(
      loc,
      `the block \`{{#${name}}}\``,
      "the blocks are `if`, `unless` and `each`",
    );
  }

  #partialOf(
    statement: Extract<Statement, { type: "PartialStatement" }>,
    next: Statement | undefined,
  ): readonly TemplatePart[] {
    const { hash, indent, loc, name, params, strip } = statement;
    const [context, ...others] = params;
    if (others.length > 0) {
      return this.#refuse(loc, "a partial with two values", "name the second");
    }
    const location = this.#locate(loc);
    const isAlone =
      !strip.close &&
      next?.type === "ContentStatement" &&
      next.rightStripped === true;
    return [
      {
        kind: "partial",
        name: this.#nameOf(name),
        context:
          context === undefined
            ? { kind: "path", depth: 0, names: [], location }
            : this.#valueOf(context),
        parameters: pairsOf(hash).map(({ key, value }) => [
          key,
          this.#valueOf(value),
        ]),
        isInline: !isAlone,
        indent,
        location,
      },
    ];
  }

  /** Returns the parts of a partial's name. */
  #nameOf(name: ParsedExpression): readonly Expression[] {
    const location = this.#locate(name.loc);
    if (name.type === "PathExpression") {
      return [{ kind: "literal", value: name.original, location }];
    }
    if (
      name.type === "SubExpression" &&
      name.path.type === "PathExpression" &&
      name.path.original === "concat"
    ) {
      return name.params.map((part) => this.#valueOf(part));
    }
    if (name.type === "StringLiteral") {
      return [{ kind: "literal", value: name.value, location }];
    }
    this.#refuse(
      name.loc,
      "this name of a partial",
      'write a name, or `(concat "type/" kind)`',
    );
    return [{ kind: "literal", value: "", location }];
  }

  #valueOf(value: ParsedExpression): Expression {
    switch (value.type) {
      case "PathExpression":
      case "SubExpression":
        return this.#expressionOf(
          value.type === "SubExpression"
            ? value
            : { path: value, params: [], hash: undefined },
          value.loc,
        );
      case "StringLiteral":
      case "NumberLiteral":
        return {
          kind: "literal",
          value: value.value,
          location: this.#locate(value.loc),
        };
      case "BooleanLiteral":
      case "NullLiteral":
      case "UndefinedLiteral":
        this.#refuse(
          value.loc,
          "`true`, `false`, `null` or `undefined`",
          "use `if`, `unless` and `exists`",
        );
        return this.#nothing(value.loc);
    }
  }

  /** Reads a path or a call, e.g. `name` or `md name`. */
  #expressionOf(
    {
      hash,
      params,
      path,
    }: {
      readonly path: ParsedExpression;
      readonly params: readonly ParsedExpression[];
      readonly hash?: Hash | undefined;
    },
    loc: Place,
  ): Expression {
    if (path.type !== "PathExpression") {
      if (params.length === 0 && pairsOf(hash).length === 0) {
        return this.#valueOf(path);
      }
      this.#refuse(loc, "a call of something without a name", "name a helper");
      return this.#nothing(loc);
    }
    const [named] = pairsOf(hash);
    if (named !== undefined) {
      this.#refuse(
        named.loc,
        "a named argument of a helper",
        "only partials have parameters with names",
      );
    }
    const location = this.#locate(path.loc);
    const { data, depth, original, parts } = path;
    if (params.length > 0 || (depth === 0 && isHelper(original))) {
      return {
        kind: "call",
        helper: original,
        arguments: params.map((each) => this.#valueOf(each)),
        location,
      };
    }
    if (data) {
      const [name] = parts;
      if (
        parts.length === 1 &&
        depth === 0 &&
        (name === "first" || name === "last" || name === "index")
      ) {
        return { kind: "position", name, location };
      }
      this.#refuse(
        path.loc,
        `\`${original}\``,
        "the names with `@` are `@first`, `@last` and `@index`",
      );
      return this.#nothing(path.loc);
    }
    return { kind: "path", depth, names: parts, location };
  }

  #nothing(loc: Place): Expression {
    return { kind: "literal", value: "", location: this.#locate(loc) };
  }

  #refuse(loc: Place, what: string, help: string): readonly TemplatePart[] {
    this.faults.push({
      code: "template-syntax",
      severity: "error",
      message: `templates cannot contain ${what}`,
      location: this.#locate(loc),
      help,
    });
    return [];
  }

  #locate({ end, start }: Place): Location {
    const offset = ({ column, line }: Place["start"]): number =>
      (this.#lines[line - 1] ?? 0) + column;
    const span = { start: offset(start), end: offset(end) };
    return { source: this.#source, span };
  }
}

function pairsOf(hash: Hash | undefined): Hash["pairs"] {
  return hash?.pairs ?? [];
}

/** Returns the offsets of lines, which Handlebars ends as `\r\n` or `\n`. */
function startsOf(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/gu), endOf)];
}

function endOf({ index, 0: lineBreak }: RegExpExecArray): number {
  return index + lineBreak.length;
}

/** Turns an error message of Handlebars into a diagnostic. */
function explainSyntax(message: string, source: Source): Diagnostic {
  const other = /^(\S+) doesn't match (\S+) - (\d+):(\d+)$/u.exec(message);
  const line = Number(other?.[3] ?? /on line (\d+)/u.exec(message)?.[1] ?? 1);
  const opened = /got 'EOF'$/u.test(message) ? openedIn(source.text) : null;
  if (opened !== null) {
    const [tag, name = ""] = opened;
    return {
      code: "template-syntax",
      severity: "error",
      message: `\`{{${/[#^]/u.exec(tag)?.[0] ?? "#"}${name}}}\` is never closed`,
      help: `write \`{{/${name}}}\``,
      location: {
        source,
        span: { start: opened.index, end: opened.index + tag.length },
      },
    };
  }
  const starts = startsOf(source.text);
  const start = starts[line - 1] ?? 0;
  const text = source.text.slice(start, starts[line]).trimEnd();
  const indent = text.length - text.trimStart().length;
  return {
    code: "template-syntax",
    severity: "error",
    ...describeSyntax(message, other, text),
    location: {
      source,
      span: { start: start + indent, end: start + text.length },
    },
  };
}

/** Returns the tag of the innermost block that is never closed. */
function openedIn(text: string): RegExpExecArray | null {
  const open: RegExpExecArray[] = [];
  for (const tag of text.matchAll(blockTag)) {
    if (tag[0].startsWith("{{!")) continue;
    if (tag[2] !== undefined) open.pop();
    else open.push(tag);
  }
  return open.at(-1) ?? null;
}

const blockTag =
  /\{\{!--.*?--\}\}|\{\{![^}]*\}\}|\{\{~?[#^](\w+)[^}]*\}\}|\{\{~?\/(\w+)\s*~?\}\}/gsu;

function describeSyntax(
  message: string,
  other: RegExpExecArray | null,
  line: string,
): Pick<Diagnostic, "message" | "help"> {
  const [, opened = "", closed = ""] = other ?? [];
  if (other) {
    return {
      message: `\`{{#${opened}}}\` is closed by \`{{/${closed}}}\``,
      help: `write \`{{/${opened}}}\``,
    };
  }
  if (/got 'EOF'$/u.test(message)) {
    return {
      message: "the template ends before a tag or block is closed",
      help: "end tags with `}}`, and blocks with `{{/if}}`, `{{/unless}}` or `{{/each}}`",
    };
  }
  if (/got '(?:OPEN_ENDBLOCK|INVERSE|OPEN_INVERSE\w*)'$/u.test(message)) {
    return { message: "no block is open here" };
  }
  return {
    message: "this tag is not valid Handlebars",
    // Handlebars takes `{{name}}}` for the end of `{{{name}}}`.
    ...(/\{\{\{|\}\}\}/u.test(line) && {
      help: 'separate a brace from a tag by a space, or print it with `{{"{"}}` or `{{"}"}}`',
    }),
  };
}
