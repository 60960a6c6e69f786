import { docOf } from "./code.js";
import { printStructureDocs } from "./docs.js";
import { indented, render, type Doc } from "./format.js";
import type { Form } from "./forms.js";
import { parametersOf } from "./parameters.js";
import { assignmentOf, blockOf, signatureOf } from "./shapes.js";
import type {
  ClassConstructor,
  ClassProperty,
  ClassStructure,
} from "./structures.js";

/** Prints a class. Its head is one line, as Prettier never breaks it. */
export function printClass(structure: ClassStructure, form: Form): string {
  const { ctors = [], docs, isExported, name, properties = [] } = structure;
  const print = (doc: Doc, lostColumns: number): string =>
    render(doc, lostColumns, form.hasTypes);
  const head = [
    isExported === true ? "export " : "",
    form.hasCode ? "class " : "declare class ",
    name,
    structure.extends === undefined
      ? ""
      : [" extends ", docOf(structure.extends)],
    " {",
  ];
  const members = [
    properties.map((each) => propertyOf(each, form)),
    ctors.map((each) => constructorOf(each, form)),
  ]
    .filter((list) => list.length > 0)
    .map((list) =>
      list.map((each) => `\n${indented(print(each, 2))}`).join(""),
    );
  const body = members.join(form.hasCode ? "\n" : "");
  const end = members.length === 0 ? "}" : "\n}";
  return `${printStructureDocs(docs, form)}${print(head, 0)}${body}${end}`;
}

function propertyOf(property: ClassProperty, form: Form): Doc {
  const { hasOverrideKeyword, initializer, isReadonly, isStatic, name } =
    property;
  const modifiers = [
    ...(isStatic === true ? ["static "] : []),
    // Declarations do not have what only concerns the code of a class.
    ...(hasOverrideKeyword === true && form.hasCode && form.hasTypes
      ? ["override "]
      : []),
    ...(isReadonly === true && form.hasTypes ? ["readonly "] : []),
  ];
  return [assignmentOf(modifiers.join("") + name, initializer), ";"];
}

function constructorOf(
  { parameters, statements }: ClassConstructor,
  form: Form,
): Doc {
  const head = signatureOf("constructor", parametersOf(parameters, form), null);
  return [head, form.hasCode ? [" ", blockOf(statements.map(docOf))] : ";"];
}
