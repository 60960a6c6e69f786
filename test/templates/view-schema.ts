import { readFileSync } from "node:fs";
import { ts } from "ts-morph";
import { scalars } from "../../generator/ir/scalars.js";

/** The modules that declare the views. */
const modules = [
  "view.ts",
  "progress-view.ts",
  "type-view.ts",
  "history-view.ts",
  "package-view.ts",
].map((name) => {
  const path = `generator/4-emit/view/${name}`;
  const text = readFileSync(path, "utf8");
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
});

type Schema = Readonly<Record<string, unknown>>;

const interfaces = new Map(
  modules
    .flatMap((each) => each.statements.filter(ts.isInterfaceDeclaration))
    .map((each) => [each.name.text, each]),
);

const names = new Set(
  modules.flatMap((each) =>
    each.statements.flatMap((statement) =>
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
        ? statement.name.text
        : [],
    ),
  ),
);

/** Derives the JSON Schema of the views from their TypeScript types. */
export function deriveViewSchema(): Schema {
  const definitions = modules.flatMap((each) =>
    each.statements.flatMap((statement): [string, Schema][] => {
      if (!/^\s*export\b/u.test(statement.getText())) return [];
      if (ts.isInterfaceDeclaration(statement)) {
        return [[statement.name.text, recordOf(statement)]];
      }
      return ts.isTypeAliasDeclaration(statement)
        ? [[statement.name.text, aliasOf(statement)]]
        : [];
    }),
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The views that templates of ridlkit print, version 1",
    $ref: "#/$defs/ContractView",
    $defs: Object.fromEntries(definitions),
  };
}

function recordOf(record: ts.InterfaceDeclaration): Schema {
  const properties = propertiesOf(record);
  return {
    ...describe(record),
    type: "object",
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

function propertiesOf(
  record: ts.InterfaceDeclaration,
): readonly [string, Schema][] {
  const inherited = (record.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression }) => {
      const base = interfaces.get(expression.getText());
      return base === undefined ? [] : propertiesOf(base);
    }),
  );
  const own = record.members.flatMap((member): [string, Schema][] =>
    ts.isPropertySignature(member) && member.type !== undefined
      ? [
          [
            member.name.getText(),
            { ...describe(member), ...schemaOf(member.type) },
          ],
        ]
      : [],
  );
  return [...inherited, ...own];
}

function aliasOf(alias: ts.TypeAliasDeclaration): Schema {
  const docs = describe(alias);
  if (alias.name.text === "Identifier") {
    return { ...docs, type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" };
  }
  if (!ts.isUnionTypeNode(alias.type)) {
    return { ...docs, ...schemaOf(alias.type) };
  }
  return { ...docs, oneOf: alias.type.types.map(schemaOf) };
}

function schemaOf(type: ts.TypeNode): Schema {
  if (ts.isParenthesizedTypeNode(type)) return schemaOf(type.type);
  if (ts.isTypeOperatorNode(type)) return schemaOf(type.type);
  if (ts.isArrayTypeNode(type)) {
    return { type: "array", items: schemaOf(type.elementType) };
  }
  if (ts.isUnionTypeNode(type)) return schemaOfUnion(type);
  if (ts.isLiteralTypeNode(type)) return { const: literalOf(type) };
  if (type.kind === ts.SyntaxKind.StringKeyword) return { type: "string" };
  if (type.kind === ts.SyntaxKind.NumberKeyword) return { type: "integer" };
  if (type.kind === ts.SyntaxKind.BooleanKeyword) return { type: "boolean" };
  const name = type.getText();
  if (name === "ScalarName") return { enum: Object.keys(scalars) };
  if (!names.has(name)) throw new Error(`${name} has no JSON Schema`);
  return { $ref: `#/$defs/${name}` };
}

function schemaOfUnion({ types }: ts.UnionTypeNode): Schema {
  const others = types.filter((each) => each.getText() !== "null");
  const [only] = others;
  if (others.length < types.length && others.length === 1 && only) {
    return { anyOf: [schemaOf(only), { type: "null" }] };
  }
  return {
    enum: others.map((each) => {
      if (!ts.isLiteralTypeNode(each)) throw new Error(each.getText());
      return literalOf(each);
    }),
  };
}

function literalOf({ literal }: ts.LiteralTypeNode): string | number {
  if (ts.isStringLiteral(literal)) return literal.text;
  return Number(literal.getText());
}

/** Returns the doc comment. */
function describe(node: ts.Node): Schema {
  const description = ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
    .join("\n")
    .replaceAll(/\s+/gu, " ");
  return description === "" ? {} : { description };
}
