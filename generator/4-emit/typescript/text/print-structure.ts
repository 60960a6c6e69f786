import { printStructureDocs } from "./docs.js";
import { codeOf, indented, render, textOf, type Doc } from "./format.js";
import type { Form } from "./forms.js";
import { quoteString } from "./quote.js";
import {
  assignmentOf,
  blockOf,
  bracesOf,
  extendsOf,
  signatureOf,
  typeParametersOf,
} from "./shapes.js";
import {
  kinds,
  type ClassConstructor,
  type ClassProperty,
  type ClassStructure,
  type ExportStructure,
  type FunctionStructure,
  type ImportStructure,
  type InterfaceStructure,
  type MethodMember,
  type Parameter,
  type PropertyMember,
  type Specifier,
  type Structure,
  type TypeAliasStructure,
  type Variable,
  type VariableStructure,
} from "./structures.js";

/** Prints a declaration as Prettier would, or null if this form omits it. */
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

/** Prints a member on its own lines, indented by two columns. */
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
  return textOf([`${start}${name}${mark}: `, codeOf(type), ";"]);
}

function methodOf(method: MethodMember, form: Form): Doc {
  const { name, parameters, returnType } = method;
  const list = parametersOf(parameters, form);
  return [signatureOf(name, list, codeOf(returnType)), ";"];
}

function printTypeAlias(structure: TypeAliasStructure, form: Form): string {
  const { docs, isExported, name, type, typeParameters } = structure;
  const parameters = typeParametersOf(typeParameters);
  const head = [`${exporting(isExported)}type ${name}`, parameters];
  const code = assignmentOf(head, codeOf(type));
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
    form.hasTypes ? codeOf(returnType) : null,
  );
  const body = form.hasCode ? [" ", blockOf(statements.map(codeOf))] : ";";
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
      : [`const ${name}: `, codeOf(type)];
  return assignmentOf(head, codeOf(initializer));
}

function declarationOf(variable: Variable, isExported: boolean): Doc | null {
  const { declaredType, initializer, name, type = declaredType } = variable;
  if (!isExported && declaredType === undefined) return null;
  const head = `declare const ${name}`;
  return type === undefined
    ? assignmentOf(head, codeOf(initializer))
    : [`${head}: `, codeOf(type)];
}

function exporting(isExported = false): string {
  return isExported ? "export " : "";
}

/** Prints parameters for a kind of file, e.g. `page?: Page` or `page = {}`. */
function parametersOf(
  parameters: readonly Parameter[] = [],
  { hasCode, hasTypes }: Form,
): readonly Doc[] {
  return parameters.map(({ hasQuestionToken, initializer, name, type }) => {
    const value =
      initializer === undefined || !hasCode ? "" : ` = ${initializer}`;
    if (!hasTypes) return name + value;
    const isOptional =
      hasQuestionToken === true || (initializer !== undefined && !hasCode);
    return textOf([`${name}${isOptional ? "?" : ""}: `, codeOf(type), value]);
  });
}

/**
 * Prints a class. Its head is on one line, because Prettier never breaks it.
 */
function printClass(structure: ClassStructure, form: Form): string {
  const { ctors = [], docs, isExported, name, properties = [] } = structure;
  const print = (doc: Doc, lostColumns: number): string =>
    render(doc, lostColumns, form.hasTypes);
  const head = [
    isExported === true ? "export " : "",
    form.hasCode ? "class " : "declare class ",
    name,
    structure.extends === undefined
      ? ""
      : [" extends ", codeOf(structure.extends)],
    " {",
  ];
  const members = [
    properties.map((each) => classPropertyOf(each, form)),
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

function classPropertyOf(property: ClassProperty, form: Form): Doc {
  const { hasOverrideKeyword, initializer, isReadonly, isStatic, name } =
    property;
  const modifiers = [
    ...(isStatic === true ? ["static "] : []),
    // Declaration files omit `override`, because it only affects type checks of
    // the code.
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
  return [head, form.hasCode ? [" ", blockOf(statements.map(codeOf))] : ";"];
}

/** Prints an import declaration. Returns null if no name is left. */
function printImport(structure: ImportStructure, form: Form): string | null {
  const { isTypeOnly, moduleSpecifier, namedImports } = structure;
  return printNames("import", isTypeOnly, namedImports, moduleSpecifier, form);
}

/** Prints a re-export. Returns null if no name is left. */
function printExport(structure: ExportStructure, form: Form): string | null {
  const { isTypeOnly, moduleSpecifier, namedExports } = structure;
  return namedExports === undefined
    ? `export * from ${quoteString(moduleSpecifier)};`
    : printNames("export", isTypeOnly, namedExports, moduleSpecifier, form);
}

function printNames(
  keyword: "import" | "export",
  isTypeOnly = false,
  all: readonly Specifier[],
  from: string,
  form: Form,
): string | null {
  if (isTypeOnly && !form.hasTypes) return null;
  const names = form.hasTypes ? all : all.filter((name) => !name.isTypeOnly);
  if (names.length === 0) return null;
  const texts = names.map(({ alias, isTypeOnly, name }) => {
    const text = alias === undefined ? name : `${name} as ${alias}`;
    return isTypeOnly === true ? `type ${text}` : text;
  });
  const start = isTypeOnly ? `${keyword} type ` : `${keyword} `;
  return render([start, bracesOf(texts), ` from ${quoteString(from)};`]);
}
