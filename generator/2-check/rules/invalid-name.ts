import type { Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { CheckCode } from "../../diagnostics/catalogue.js";
import type { Program } from "../program/program.js";
import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Which names one kind of declaration may have. */
interface NameForm {
  readonly code: CheckCode;
  /** E.g. `a field`. */
  readonly what: string;
  readonly pattern: RegExp;
  /** What {@link pattern} demands. */
  readonly note: string;
  readonly names: (nodes: Program["nodes"]) => readonly DeclaredName[];
}

interface DeclaredName {
  readonly name: Word;
  readonly document: LoadedDocument;
  readonly help?: string;
}

const rest = "followed by letters, digits and `_`";
/** webrpc takes any word, and then generates code that does not compile. */
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

const builtIn = /^webrpc/i;

const forms: readonly NameForm[] = [
  {
    code: "invalid-argument-name",
    what: "an argument",
    pattern: identifier,
    note: `an argument's name begins with a letter or \`_\`, ${rest}`,
    names: ({ arguments: all }) => all.map(toName),
  },
  {
    code: "invalid-enum-member-name",
    what: "an enum member",
    pattern: identifier,
    note: `a member's name begins with a letter or \`_\`, ${rest}`,
    names: ({ enums }) =>
      enums.flatMap(({ syntax, document }) =>
        syntax.members.map(({ name }) => ({
          name,
          document,
          ...(syntax.base.text === "string" && {
            help: `give it a name and a value: \`- NAME = ${JSON.stringify(name.text)}\``,
          }),
        })),
      ),
  },
  {
    code: "invalid-error-name",
    what: "an error",
    pattern: /^[A-Z][A-Za-z0-9_]*$/,
    note: `an error's name begins with a capital letter, ${rest}`,
    names: ({ errors }) =>
      errors.map(toName).filter(({ name }) => !builtIn.test(name.text)),
  },
  {
    code: "invalid-error-name",
    what: "an error",
    pattern: /^(?!webrpc)/i,
    note: "names that begin with `Webrpc` belong to the built-in errors",
    names: ({ errors }) =>
      errors.map(toName).filter(({ name }) => builtIn.test(name.text)),
  },
  {
    code: "invalid-field-name",
    what: "a field",
    pattern: /^[A-Za-z][A-Za-z0-9_]*$/,
    note: `a field's name begins with a letter, ${rest}`,
    names: ({ fields }) => fields.map(toName),
  },
  {
    code: "invalid-method-name",
    what: "a method",
    pattern: identifier,
    note: `a method's name begins with a letter or \`_\`, ${rest}`,
    names: ({ methods }) =>
      methods.filter(({ syntax }) => !syntax.isProxy).map(toName),
  },
  {
    code: "invalid-service-name",
    what: "a service",
    pattern: /^[A-Za-z_][A-Za-z0-9_]*(\/[A-Za-z_][A-Za-z0-9_]*)*$/,
    note: "a service's name is one or more names with `/` between them",
    names: ({ services }) => services.map(toName),
  },
  {
    code: "invalid-type-name",
    what: "a type",
    pattern: /^[A-Z][A-Za-z0-9_]*$/,
    note: `a type's name begins with a capital letter, ${rest}`,
    names: ({ structs, enums, aliases }) =>
      [...structs, ...enums, ...aliases].map(toName),
  },
];

/** Names are such as targets can use. Empty ones are reported by the parser. */
export const invalidName: Rule = ({ nodes }) =>
  forms.flatMap(({ code, what, pattern, note, names }) =>
    names(nodes)
      .filter(({ name }) => name.text !== "" && !pattern.test(name.text))
      .map(({ name, document, help }) =>
        reportError(
          code,
          locate(document, name),
          `\`${name.text}\` cannot be the name of ${what}`,
          { notes: [note], ...(help !== undefined && { help }) },
        ),
      ),
  );

function toName({
  syntax: { name },
  document,
}: {
  readonly syntax: { readonly name: Word };
  readonly document: LoadedDocument;
}): DeclaredName {
  return { name, document };
}
