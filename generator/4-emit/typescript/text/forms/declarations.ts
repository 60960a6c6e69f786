import { StructureKind } from "ts-morph";
import { printDocs } from "../docs.js";
import { render } from "../format.js";
import { signatureOf } from "../shapes.js";
import type {
  ClassStatement,
  ConstantStatement,
  FunctionStatement,
} from "../statements.js";
import { descriptionOf } from "./descriptions.js";
import type { Form, Written } from "./form.js";
import { declaredParameter, genericName } from "./parameters.js";
import { printReexport, printReexports } from "./reexport.js";
import { extendedType } from "./typescript.js";

/** `.d.ts`: the types, and what the `.js` beside it exports. */
export const declarations: Form = {
  ending: ".d.ts",
  needs: ({ inDeclarations }) => inDeclarations,
  write(statement) {
    switch (statement.kind) {
      case "type":
        return statement.text;
      case "function":
        return statement.isExported ? writeFunction(statement) : null;
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
  const { docs, parameters, returns } = statement;
  const head = `export declare function ${genericName(statement)}`;
  const code = signatureOf(head, parameters.map(declaredParameter), returns);
  return printDocs(docs) + render([code, ";"]);
}

function writeConstant(statement: ConstantStatement): string | null {
  const { assign, docs, isExported, name } = statement;
  const type = statement.type ?? statement.declared?.() ?? null;
  const start = `${isExported ? "export " : ""}declare const ${name}`;
  if (isExported && type === null) {
    return printDocs(docs) + render([assign(start, render), ";"]);
  }
  const isNamed = isExported || statement.declared !== undefined;
  if (type === null || !isNamed) return null;
  return printDocs(docs) + render([`${start}: `, type, ";"]);
}

function writeClass(statement: ClassStatement): Written {
  const { ctor, docs, name, statics } = statement;
  const extended = extendedType(statement);
  if (ctor === null) {
    return `${printDocs(docs)}export declare class ${name} extends ${extended} {}`;
  }
  return {
    kind: StructureKind.Class,
    isExported: true,
    hasDeclareKeyword: true,
    name,
    extends: extended,
    docs: descriptionOf(docs),
    properties: statics.map((each) => ({
      name: each.name,
      isStatic: true,
      isReadonly: true,
      initializer: each.value,
    })),
    ctors: [
      { parameters: [{ name: render(declaredParameter(ctor.parameter)) }] },
    ],
  };
}
