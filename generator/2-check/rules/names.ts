import type { Word } from "../../1-parse/ast.js";
import type { Declared, Nodes } from "../program/program.js";
import { foldName } from "../program/scope.js";
import { findDuplicates } from "../report/duplicates.js";
import { errorAt } from "../report/finding.js";
import { locate, relate } from "../report/report.js";
import type { CheckRules, Rule } from "./rule.js";

interface Named {
  readonly name: Word;
}

/** Which names one kind of declaration may have. */
interface NameForm {
  /** E.g. `a field`. */
  readonly what: string;
  readonly pattern: RegExp;
  /** What {@link pattern} demands. */
  readonly note: string;
  readonly list: (nodes: Nodes) => readonly NamedNode[];
}

interface NamedNode extends Declared<Named> {
  readonly help?: string;
}

/** A rule about names that targets cannot use. The parser reports empty ones. */
function invalidName(...forms: readonly NameForm[]): Rule {
  return ({ nodes }) =>
    forms.flatMap(({ what, pattern, note, list }) =>
      list(nodes)
        .filter(
          ({
            syntax: {
              name: { text },
            },
          }) => text !== "" && !pattern.test(text),
        )
        .map(({ syntax: { name }, document, help }) =>
          errorAt(
            locate(document, name),
            `\`${name.text}\` cannot be the name of ${what}`,
            { notes: [note], ...(help !== undefined && { help }) },
          ),
        ),
    );
}

/** A declaration, and what it consists of. */
interface Members {
  readonly owner: Declared<Named>;
  readonly members: readonly Named[];
}

/**
 * A rule about what a declaration consists of, where names differ.
 * Input: what both are called, what equal names have in common, the way out.
 */
function duplicateMember(
  [what, ownerKind]: readonly [what: string, ownerKind: string],
  keyOf: (name: string) => string,
  help: string,
  list: (nodes: Nodes) => readonly Members[],
): Rule {
  return ({ nodes }) =>
    list(nodes).flatMap(({ owner: { syntax, document }, members }) =>
      findDuplicates(members, ({ name }) => keyOf(name.text)).map(
        ({ first, again }) =>
          errorAt(
            locate(document, again.name),
            `${what} \`${again.name.text}\` is declared twice in ${ownerKind} \`${syntax.name.text}\``,
            {
              related: [relate(document, first.name, "first declared here")],
              help,
            },
          ),
      ),
    );
}

const rest = "followed by letters, digits and `_`";
/** webrpc takes any word, and then generates code that does not compile. */
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
const builtIn = /^webrpc/i;

const exactly = (name: string): string => name;
const renameOrRemove = "rename or remove one of them";

/** Rules about names within one declaration. */
export const nameRules = {
  "invalid-argument-name": invalidName({
    what: "an argument",
    pattern: identifier,
    note: `an argument's name begins with a letter or \`_\`, ${rest}`,
    list: ({ arguments: all }) => all,
  }),

  "invalid-enum-member-name": invalidName({
    what: "an enum member",
    pattern: identifier,
    note: `a member's name begins with a letter or \`_\`, ${rest}`,
    list: ({ enums }) =>
      enums.flatMap(({ syntax: { base, members }, document }) =>
        members.map((syntax) => ({
          syntax,
          document,
          ...(base.text === "string" && {
            help: `give it a name and a value: \`- NAME = ${JSON.stringify(syntax.name.text)}\``,
          }),
        })),
      ),
  }),

  "invalid-error-name": invalidName(
    {
      what: "an error",
      pattern: /^[A-Z][A-Za-z0-9_]*$/,
      note: `an error's name begins with a capital letter, ${rest}`,
      list: ({ errors }) =>
        errors.filter(({ syntax: { name } }) => !builtIn.test(name.text)),
    },
    {
      what: "an error",
      pattern: /^(?!webrpc)/i,
      note: "names that begin with `Webrpc` belong to the built-in errors",
      list: ({ errors }) => errors,
    },
  ),

  "invalid-field-name": invalidName({
    what: "a field",
    pattern: /^[A-Za-z][A-Za-z0-9_]*$/,
    note: `a field's name begins with a letter, ${rest}`,
    list: ({ fields }) => fields,
  }),

  "invalid-method-name": invalidName({
    what: "a method",
    pattern: identifier,
    note: `a method's name begins with a letter or \`_\`, ${rest}`,
    list: ({ methods }) => methods.filter(({ syntax }) => !syntax.isProxy),
  }),

  "invalid-service-name": invalidName({
    what: "a service",
    pattern: /^[A-Za-z_][A-Za-z0-9_]*(\/[A-Za-z_][A-Za-z0-9_]*)*$/,
    note: "a service's name is one or more names with `/` between them",
    list: ({ services }) => services,
  }),

  "invalid-type-name": invalidName({
    what: "a type",
    pattern: /^[A-Z][A-Za-z0-9_]*$/,
    note: `a type's name begins with a capital letter, ${rest}`,
    list: ({ structs, enums, aliases }) => [...structs, ...enums, ...aliases],
  }),

  "duplicate-argument": duplicateMember(
    ["argument", "method"],
    exactly,
    renameOrRemove,
    ({ messages }) =>
      messages.map(({ syntax, document, owner }) => ({
        owner: { syntax: owner, document },
        members: syntax.arguments,
      })),
  ),

  "duplicate-enum-member": duplicateMember(
    ["member", "enum"],
    exactly,
    renameOrRemove,
    ({ enums }) =>
      enums.map((owner) => ({ owner, members: owner.syntax.members })),
  ),

  "duplicate-field": duplicateMember(
    ["field", "struct"],
    foldName,
    renameOrRemove,
    ({ structs }) =>
      structs.map((owner) => ({ owner, members: owner.syntax.fields })),
  ),

  "duplicate-method": duplicateMember(
    ["method", "service"],
    foldName,
    "rename one of them, or merge their arguments",
    ({ services }) =>
      services.map((owner) => ({ owner, members: owner.syntax.methods })),
  ),
} satisfies CheckRules;
