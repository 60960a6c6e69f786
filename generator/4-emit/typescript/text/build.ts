import { StructureKind, type ClassDeclarationStructure } from "ts-morph";
import { printDocs } from "./docs.js";
import { render, type Doc } from "./format.js";

/** A declaration of a generated file: text, or what ts-morph prints. */
export type Statement = string | ClassDeclarationStructure;

/** A property or method of an interface or class. */
export interface Member {
  /** Lines of its doc comment, inert; see `docLines`. */
  readonly docs: readonly string[];
  /** The member without its semicolon, e.g. `readonly page?: Page`. */
  readonly code: Doc;
}

/** An exported interface. `name` may carry type parameters. */
export function buildInterface(
  docs: readonly string[],
  name: string,
  members: readonly Member[],
  extended: readonly string[] = [],
): Statement {
  const extending =
    extended.length === 0 ? "" : ` extends ${extended.join(", ")}`;
  const head = `${printDocs(docs)}export interface ${name}${extending} {`;
  if (members.length === 0) return `${head}}`;
  const body = `\n${members.map(memberText).join("\n")}`;
  return `${head}${body.replaceAll("\n", "\n  ")}\n}`;
}

/** Two columns go to the indentation that it gets as part of the whole. */
function memberText({ code, docs }: Member): string {
  return printDocs(docs) + render([code, ";"], 2);
}

/** An exported class with a constructor. */
export interface ClassParts {
  readonly docs: readonly string[];
  readonly name: string;
  readonly extends: string;
  /** Static properties, e.g. `errorName` with `"NotFound"`. */
  readonly statics: readonly {
    readonly name: string;
    readonly value: string;
  }[];
  /** Parameters of the constructor as text. */
  readonly parameters: string;
  /** Statements of the constructor. */
  readonly body: readonly Doc[];
}

/** A class as described by its parts; its static properties override. */
export function buildClass(parts: ClassParts): Statement {
  return {
    kind: StructureKind.Class,
    isExported: true,
    name: parts.name,
    extends: parts.extends,
    docs: descriptionOf(parts.docs),
    properties: parts.statics.map(({ name, value }) => ({
      name,
      isStatic: true,
      hasOverrideKeyword: true,
      isReadonly: true,
      initializer: value,
    })),
    ctors: [
      {
        parameters: [{ name: parts.parameters }],
        statements: parts.body.map((statement) => render(statement, 4)),
      },
    ],
  };
}

/** Any other declaration, with its doc comment. */
export function buildText(docs: readonly string[], code: Doc): Statement {
  return printDocs(docs) + render(code);
}

function descriptionOf(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [lines.length === 1 ? (lines[0] ?? "") : `\n${lines.join("\n")}`];
}
