/**
 * Leaves those top-level statements of a CommonJS module that some of its
 * exports need, by the names that they mention.
 *
 * Input: the TypeScript compiler, the text of the module, names of exports.
 * Output: the text of the statements that are left, in their order.
 */
export function keepReachable(ts, text, exported) {
  const { statements } = ts.createSourceFile("module.js", text, {
    languageVersion: ts.ScriptTarget.ESNext,
  });
  const declaring = new Map();
  for (const statement of statements) {
    for (const name of declaredBy(ts, statement)) {
      declaring.set(name, [...(declaring.get(name) ?? []), statement]);
    }
  }
  const kept = new Set();
  const wanted = exported.map((name) => `exports.${name}`);
  for (const name of exported) {
    if (!declaring.has(`exports.${name}`)) throw new Error(`no ${name}`);
  }
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    for (const statement of declaring.get(name) ?? []) {
      if (kept.has(statement)) continue;
      kept.add(statement);
      wanted.push(...namesIn(ts, statement));
    }
  }
  return statements
    .filter((statement) => kept.has(statement))
    .map((statement) => text.slice(statement.pos, statement.end))
    .join("");
}

/** Names that a statement declares; `exports.X` for what it exports. */
function declaredBy(ts, statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => [
      ...namesIn(ts, name),
    ]);
  }
  if (statement.name !== undefined) return [statement.name.text];
  const exported = [...namesIn(ts, statement)].filter((name) =>
    name.startsWith("exports."),
  );
  // Object.defineProperty(exports, "X", …)
  const key = statement.expression?.arguments?.[1];
  if (key !== undefined && ts.isStringLiteral(key)) {
    exported.push(`exports.${key.text}`);
  }
  return exported;
}

/** Every name that is mentioned, but for those of properties. */
function namesIn(ts, node, names = new Set()) {
  if (ts.isIdentifier(node)) names.add(node.text);
  if (ts.isPropertyAccessExpression(node)) {
    const of = node.expression;
    if (ts.isIdentifier(of) && of.text === "exports") {
      names.add(`exports.${node.name.text}`);
    } else namesIn(ts, of, names);
  } else ts.forEachChild(node, (child) => void namesIn(ts, child, names));
  return names;
}
