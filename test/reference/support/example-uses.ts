import {
  Node,
  SyntaxKind,
  type ObjectLiteralExpression,
  type SourceFile,
  type Type,
} from "ts-morph";

/**
 * Finds the options that a program sets. Returns the shortest use of each
 * property, by the name of its interface and of the interfaces that it extends,
 * for example `RetryOptions.attempts` to `attempts: 5`.
 */
export function readOptionUses(
  program: SourceFile,
): ReadonlyMap<string, string> {
  const uses = new Map<string, string>();
  const literals = program.getDescendantsOfKind(
    SyntaxKind.ObjectLiteralExpression,
  );
  for (const literal of literals) {
    const type = literal.getContextualType();
    const owners = type === undefined ? [] : ownersOf(type);
    for (const [name, use] of propertiesOf(literal)) {
      for (const owner of owners) {
        const key = `${owner}.${name}`;
        const before = uses.get(key);
        if (before === undefined || use.length < before.length) {
          uses.set(key, use);
        }
      }
    }
  }
  return uses;
}

/** Returns the names that a program uses outside its imports. */
export function readNames(program: SourceFile): ReadonlySet<string> {
  const names = program
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((each) => !Node.isImportSpecifier(each.getParent()))
    .map((each) => each.getText());
  return new Set(names);
}

function propertiesOf(
  literal: ObjectLiteralExpression,
): readonly (readonly [string, string])[] {
  return literal.getProperties().flatMap((property) => {
    if (Node.isSpreadAssignment(property)) return [];
    const text = property
      .getText()
      .replace(/\s+/gu, " ")
      .replace(/, \}/gu, " }");
    return [[property.getName(), text] as const];
  });
}

/** Returns the names of an interface and of the interfaces that it extends. */
function ownersOf(type: Type): readonly string[] {
  const types = [...type.getUnionTypes(), ...type.getIntersectionTypes()];
  if (types.length > 0) return types.flatMap(ownersOf);
  const target = type.getTargetType() ?? type;
  const name = (type.getAliasSymbol() ?? type.getSymbol())?.getName() ?? "";
  return [name, ...target.getBaseTypes().flatMap(ownersOf)];
}
