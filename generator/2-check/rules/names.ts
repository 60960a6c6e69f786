import type { Word } from "../../1-parse/ast.js";
import type { Nodes } from "../program/program.js";
import { foldName } from "../program/scope.js";
import { findDuplicates } from "../report/duplicates.js";
import { inNodes, type NodeFinding } from "../report/finding.js";
import type { CheckRules, Rule } from "./rule.js";

interface Named {
  readonly name: Word;
}

/** The valid names of one kind of declaration. */
interface NameForm {
  /** The name of the kind in messages, e.g. `a field`. */
  readonly what: string;
  readonly pattern: RegExp;
  /** Describes what {@link pattern} requires. */
  readonly note: string;
}

/** Finds the problem with an invalid name. The parser reports empty names. */
function findNameProblem(
  { name }: Named,
  { what, pattern, note }: NameForm,
): NodeFinding | false {
  if (name.text === "" || pattern.test(name.text)) return false;
  return {
    at: name,
    message: `\`${name.text}\` cannot be the name of ${what}`,
    notes: [note],
  };
}

type NamedKind = {
  [Kind in keyof Nodes]: Nodes[Kind][number]["syntax"] extends Named
    ? Kind
    : never;
}[keyof Nodes];

function invalidName(kinds: readonly NamedKind[], form: NameForm): Rule {
  return inNodes(kinds, ({ syntax }) => findNameProblem(syntax, form));
}

function duplicateMembers(
  [what, ownerKind]: readonly [what: string, ownerKind: string],
  owner: Named,
  members: readonly Named[],
  keyOf: (name: string) => string,
  help = "rename or remove one of them",
): readonly NodeFinding[] {
  return findDuplicates(members, ({ name }) => keyOf(name.text)).map(
    ({ first, again }) => ({
      at: again.name,
      message: `${what} \`${again.name.text}\` is declared twice in ${ownerKind} \`${owner.name.text}\``,
      related: [{ at: first.name, label: "first declared here" }],
      help,
    }),
  );
}

const rest = "followed by letters, digits and `_`";
/** webrpc accepts any word, but then generates code that does not compile. */
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

const errorName: NameForm = {
  what: "an error",
  pattern: /^[A-Z][A-Za-z0-9_]*$/,
  note: `an error's name begins with a capital letter, ${rest}`,
};
const ownErrorName: NameForm = {
  what: "an error",
  pattern: /^(?!webrpc)/i,
  note: "names that begin with `Webrpc` belong to the built-in errors",
};
const memberName: NameForm = {
  what: "an enum member",
  pattern: identifier,
  note: `a member's name begins with a letter or \`_\`, ${rest}`,
};
const methodName: NameForm = {
  what: "a method",
  pattern: identifier,
  note: `a method's name begins with a letter or \`_\`, ${rest}`,
};

const exactly = (name: string): string => name;

/** Rules about names within one declaration. */
export const nameRules = {
  "invalid-argument-name": invalidName(["arguments"], {
    what: "an argument",
    pattern: identifier,
    note: `an argument's name begins with a letter or \`_\`, ${rest}`,
  }),

  "invalid-enum-member-name": inNodes(["members"], ({ syntax, owner }) => {
    const fault = findNameProblem(syntax, memberName);
    if (!fault || owner.base.text !== "string") return fault;
    const value = JSON.stringify((syntax.value ?? syntax.name).text);
    return {
      ...fault,
      help: `give it a name and a value: \`- NAME = ${value}\``,
    };
  }),

  "invalid-error-name": inNodes(
    ["errors"],
    ({ syntax }) =>
      findNameProblem(syntax, ownErrorName) ||
      findNameProblem(syntax, errorName),
  ),

  "invalid-field-name": invalidName(["fields"], {
    what: "a field",
    pattern: /^[A-Za-z][A-Za-z0-9_]*$/,
    note: `a field's name begins with a letter, ${rest}`,
  }),

  "invalid-method-name": inNodes(
    ["methods"],
    ({ syntax }) => !syntax.isProxy && findNameProblem(syntax, methodName),
  ),

  "invalid-service-name": invalidName(["services"], {
    what: "a service",
    pattern: /^[A-Za-z_][A-Za-z0-9_]*(\/[A-Za-z_][A-Za-z0-9_]*)*$/,
    note: "a service's name is one or more identifiers, separated by `/`",
  }),

  "invalid-type-name": invalidName(["structs", "enums", "aliases"], {
    what: "a type",
    pattern: /^[A-Z][A-Za-z0-9_]*$/,
    note: `a type's name begins with a capital letter, ${rest}`,
  }),

  "duplicate-argument": inNodes(["messages"], ({ syntax, owner }) =>
    duplicateMembers(["argument", "method"], owner, syntax.arguments, exactly),
  ),

  "duplicate-enum-member": inNodes(["enums"], ({ syntax }) =>
    duplicateMembers(["member", "enum"], syntax, syntax.members, exactly),
  ),

  "duplicate-field": inNodes(["structs"], ({ syntax }) =>
    duplicateMembers(["field", "struct"], syntax, syntax.fields, foldName),
  ),

  "duplicate-method": inNodes(["services"], ({ syntax }) =>
    duplicateMembers(
      ["method", "service"],
      syntax,
      syntax.methods,
      foldName,
      "rename one of them, or merge their arguments",
    ),
  ),
} satisfies CheckRules;
