import { StructureKind } from "ts-morph";
import { printDocs } from "../docs.js";
import { render } from "../format.js";
import { functionOf } from "../shapes.js";
import type {
  ClassStatement,
  ConstantStatement,
  FunctionStatement,
} from "../statements.js";
import { descriptionOf } from "./descriptions.js";
import type { Form, Written } from "./form.js";
import { genericName, typedParameter } from "./parameters.js";
import { printReexport, printReexports } from "./reexport.js";

/** `.ts`: everything in one file. */
export const typescript: Form = {
  ending: ".ts",
  needs: ({ inCode }) => inCode,
  write(statement) {
    switch (statement.kind) {
      case "type":
        return statement.text;
      case "function":
        return writeFunction(statement);
      case "constant":
        return writeConstant(statement);
      case "class":
        return writeClass(statement);
      case "reexport":
        return printReexport(statement);
      case "reexport-all":
        return printReexports(statement);
    }
  },
};

function writeFunction(statement: FunctionStatement): string {
  const { body, docs, isExported, returns } = statement;
  const parameters = statement.parameters.map(typedParameter);
  const code = functionOf(genericName(statement), parameters, returns, body);
  return printDocs(docs) + render([isExported ? "export " : "", code]);
}

function writeConstant(statement: ConstantStatement): string {
  const { assign, docs, isExported, name, type } = statement;
  const start = `${isExported ? "export " : ""}const ${name}`;
  const head = type === null ? start : [`${start}: `, type];
  return printDocs(docs) + render([assign(head, render), ";"]);
}

function writeClass(statement: ClassStatement): Written {
  const { ctor, docs, name, statics } = statement;
  const extended = extendedType(statement);
  if (ctor === null) {
    return `${printDocs(docs)}export class ${name} extends ${extended} {}`;
  }
  return {
    kind: StructureKind.Class,
    isExported: true,
    name,
    extends: extended,
    docs: descriptionOf(docs),
    properties: statics.map((each) => ({
      name: each.name,
      isStatic: true,
      hasOverrideKeyword: true,
      isReadonly: true,
      initializer: each.value,
    })),
    ctors: [
      {
        parameters: [{ name: render(typedParameter(ctor.parameter)) }],
        statements: ctor.body.map((each) => render(each, 4)),
      },
    ],
  };
}

/** What a class extends, with its type argument. */
export function extendedType(statement: ClassStatement): string {
  const { typeArgument } = statement;
  return typeArgument === undefined
    ? statement.extends
    : `${statement.extends}<${typeArgument}>`;
}
