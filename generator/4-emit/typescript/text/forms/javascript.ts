import { StructureKind } from "ts-morph";
import { printDocs } from "../docs.js";
import { render, type Doc } from "../format.js";
import { argumentsOf, blockOf } from "../shapes.js";
import type {
  ClassStatement,
  ConstantStatement,
  FunctionStatement,
  ReexportStatement,
} from "../statements.js";
import { briefOf, descriptionOf } from "./descriptions.js";
import type { Form, Written } from "./form.js";
import { plainParameter } from "./parameters.js";
import { printReexport, printReexports } from "./reexport.js";
import { untyped } from "./untyped.js";

/** `.js`: what runs, without types. */
export const javascript: Form = {
  ending: ".js",
  needs: ({ inCode, isType }) => inCode && !isType,
  write(statement) {
    switch (statement.kind) {
      case "type":
        return null;
      case "function":
        return writeFunction(statement);
      case "constant":
        return writeConstant(statement);
      case "class":
        return writeClass(statement);
      case "reexport":
        return writeReexport(statement);
      case "reexport-all":
        return printReexports(statement);
    }
  },
};

/** Without what only TypeScript has. */
function layOut(code: Doc, lostColumns?: number): string {
  return render(untyped(code), lostColumns);
}

function writeFunction(statement: FunctionStatement): string {
  const { body, docs, isExported, name, parameters } = statement;
  const head = `${isExported ? "export " : ""}function ${name}`;
  const code = [
    head,
    argumentsOf(parameters.map(plainParameter)),
    " ",
    blockOf(body),
  ];
  return printDocs(briefOf(docs)) + layOut(code);
}

function writeConstant(statement: ConstantStatement): string {
  const { assign, docs, isExported, name } = statement;
  const code = assign(`${isExported ? "export " : ""}const ${name}`, layOut);
  return printDocs(briefOf(docs)) + layOut([code, ";"]);
}

function writeClass(statement: ClassStatement): Written {
  const { ctor, name, statics } = statement;
  const docs = briefOf(statement.docs);
  if (ctor === null) {
    return `${printDocs(docs)}export class ${name} extends ${statement.extends} {}`;
  }
  return {
    kind: StructureKind.Class,
    isExported: true,
    name,
    extends: statement.extends,
    docs: descriptionOf(docs),
    properties: statics.map((each) => ({
      name: each.name,
      isStatic: true,
      initializer: each.value,
    })),
    ctors: [
      {
        parameters: [{ name: plainParameter(ctor.parameter) }],
        statements: ctor.body.map((each) => layOut(each, 4)),
      },
    ],
  };
}

function writeReexport({ from, names }: ReexportStatement): string | null {
  const values = names.filter(({ isType }) => !isType);
  if (values.length === 0) return null;
  return printReexport({ kind: "reexport", from, names: values });
}
