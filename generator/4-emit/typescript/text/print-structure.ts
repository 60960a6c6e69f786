import { docOf } from "./code.js";
import { printStructureDocs } from "./docs.js";
import { indented, render, textOf, type Doc } from "./format.js";
import type { Form } from "./forms.js";
import { printClass } from "./print-class.js";
import { printExport, printImport } from "./print-module.js";
import { parametersOf } from "./parameters.js";
import {
  assignmentOf,
  blockOf,
  extendsOf,
  signatureOf,
  typeParametersOf,
} from "./shapes.js";
import {
  kinds,
  type FunctionStructure,
  type InterfaceStructure,
  type MethodMember,
  type PropertyMember,
  type Structure,
  type TypeAliasStructure,
  type Variable,
  type VariableStructure,
} from "./structures.js";

/**
 * Prints a declaration as Prettier would, without a final line break.
 *
 * Output: null if files of this form do not have it, e.g. types in JavaScript.
 */
export function printStructure(
  structure: Structure,
  form: Form,
): string | null {
  switch (structure.kind) {
    case kinds.class:
      return printClass(structure, form);
    case kinds.export:
      return printExport(structure, form);
    case kinds.function:
      return printFunction(structure, form);
    case kinds.import:
      return printImport(structure, form);
    case kinds.interface:
      return form.hasTypes ? printInterface(structure, form) : null;
    case kinds.typeAlias:
      return form.hasTypes ? printTypeAlias(structure, form) : null;
    case kinds.variable:
      return printVariable(structure, form);
  }
}

function printInterface(structure: InterfaceStructure, form: Form): string {
  const { docs, isExported, methods = [], name, properties = [] } = structure;
  const members = [
    ...properties.map((each) => printMember(each, propertyOf(each), form)),
    ...methods.map((each) => printMember(each, methodOf(each, form), form)),
  ];
  const head = [
    `${exporting(isExported)}interface ${name}`,
    typeParametersOf(structure.typeParameters),
    extendsOf(structure.extends),
    " {",
  ];
  const end = members.length === 0 ? "}" : "\n}";
  return `${printStructureDocs(docs, form)}${render(head)}${members.join("")}${end}`;
}

/** A member on lines of its own, two columns deeper. */
function printMember(
  { docs }: PropertyMember | MethodMember,
  code: Doc,
  form: Form,
): string {
  const text = printStructureDocs(docs, form) + render(code, 2);
  return `\n${indented(text)}`;
}

function propertyOf({
  hasQuestionToken,
  isReadonly,
  name,
  type,
}: PropertyMember): Doc {
  const start = isReadonly === true ? "readonly " : "";
  const mark = hasQuestionToken === true ? "?" : "";
  return textOf([`${start}${name}${mark}: `, docOf(type), ";"]);
}

function methodOf(method: MethodMember, form: Form): Doc {
  const { name, parameters, returnType } = method;
  const list = parametersOf(parameters, form);
  return [signatureOf(name, list, docOf(returnType)), ";"];
}

function printTypeAlias(structure: TypeAliasStructure, form: Form): string {
  const { docs, isExported, name, type, typeParameters } = structure;
  const parameters = typeParametersOf(typeParameters);
  const head = [`${exporting(isExported)}type ${name}`, parameters];
  const code = assignmentOf(head, docOf(type));
  return printStructureDocs(docs, form) + render([code, ";"]);
}

function printFunction(
  structure: FunctionStructure,
  form: Form,
): string | null {
  const { docs, isExported, name, returnType, statements } = structure;
  if (!form.hasCode && isExported !== true) return null;
  const keyword = form.hasCode ? "function" : "declare function";
  const types = form.hasTypes ? structure.typeParameters : [];
  const signature = signatureOf(
    [`${exporting(isExported)}${keyword} ${name}`, typeParametersOf(types)],
    parametersOf(structure.parameters, form),
    form.hasTypes ? docOf(returnType) : null,
  );
  const body = form.hasCode ? [" ", blockOf(statements.map(docOf))] : ";";
  return (
    printStructureDocs(docs, form) + render([signature, body], 0, form.hasTypes)
  );
}

function printVariable(
  structure: VariableStructure,
  form: Form,
): string | null {
  const { docs, isExported } = structure;
  const [variable] = structure.declarations;
  const code = form.hasCode
    ? definitionOf(variable, form)
    : declarationOf(variable, isExported === true);
  if (code === null) return null;
  const text = render([exporting(isExported), code, ";"], 0, form.hasTypes);
  return printStructureDocs(docs, form) + text;
}

function definitionOf({ initializer, name, type }: Variable, form: Form): Doc {
  const head =
    type === undefined || !form.hasTypes
      ? `const ${name}`
      : [`const ${name}: `, docOf(type)];
  return assignmentOf(head, docOf(initializer));
}

function declarationOf(variable: Variable, isExported: boolean): Doc | null {
  const { declaredType, initializer, name, type = declaredType } = variable;
  if (!isExported && declaredType === undefined) return null;
  const head = `declare const ${name}`;
  return type === undefined
    ? assignmentOf(head, docOf(initializer))
    : [`${head}: `, docOf(type)];
}

function exporting(isExported = false): string {
  return isExported ? "export " : "";
}
