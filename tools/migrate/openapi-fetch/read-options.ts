import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import { type NewOptions, readBaseUrl } from "../change/base-url.js";
import type { CodeChange } from "../change/old-client.js";
import { type Base, listForms } from "../change/operations.js";
import {
  type NamedProperty,
  propertiesOf,
  removeProperty,
} from "../change/properties.js";
import { UnsupportedCode } from "../change/unsupported-code.js";

/** Options that have no equivalent, because the contract says the same. */
const others: ReadonlySet<string> = new Set([
  "Request",
  "bodySerializer",
  "pathSerializer",
  "querySerializer",
  "requestInitExt",
]);

/**
 * Converts the options of `createClient`.
 *
 * Errors: {@link UnsupportedCode} for what has no equivalent.
 */
export function readOptions(
  call: ts.CallExpression,
  base: Base,
  change: CodeChange,
): NewOptions {
  const [options] = call.arguments;
  const { edits, migration } = change;
  const { compiler, operations } = migration;
  const forms = listForms(operations, base);
  const properties = propertiesOf(options, compiler);
  const wrong = properties.find(
    (each) => others.has(each.name) && !saysTheSame(each, forms, compiler),
  );
  if (wrong !== undefined) {
    throw new UnsupportedCode(
      wrong.node,
      `the option \`${wrong.name}\` has no equivalent`,
      "remove it if the contract says the same",
    );
  }
  const url = properties.find(({ name }) => name === "baseUrl");
  const { doubtful, text: baseUrl } =
    url === undefined
      ? { text: 'baseUrl: ""', doubtful: base.prefix === "" ? null : call }
      : readBaseUrl(url, base, change);
  const fetch = properties.find(({ name }) => name === "fetch");
  const init = properties.filter(
    ({ name }) =>
      !others.has(name) &&
      !["baseUrl", "fetch", "headers", "signal"].includes(name),
  );
  const newFetch = printFetch(fetch, init, change);
  const dropped = properties.filter(({ name }) => others.has(name));
  const [first, ...rest] = [...(fetch === undefined ? [] : [fetch]), ...init];
  if (options === undefined) return { text: `{ ${baseUrl} }`, doubtful };
  // What stays keeps its comments and its format.
  if (first !== undefined && newFetch !== null) {
    edits.replace(first.node, newFetch);
  }
  if (url !== undefined) edits.replace(url.node, baseUrl);
  for (const { node } of [...rest, ...dropped]) {
    removeProperty(node, edits);
  }
  if (url !== undefined) return { text: edits.slice(options), doubtful };
  const isEmpty = properties.length === dropped.length;
  const start = options.getStart() + 1;
  const { text } = options.getSourceFile();
  const [space = ""] = /^\s*/u.exec(text.slice(start)) ?? [];
  edits.replaceRange(
    start,
    start,
    isEmpty ? ` ${baseUrl} ` : `${space || " "}${baseUrl},`,
  );
  return { text: edits.slice(options), doubtful };
}

/** Whether an option writes lists in queries as the contract does. */
function saysTheSame(
  { name, value }: NamedProperty,
  areJoined: ReadonlySet<boolean>,
  compiler: Compiler,
): boolean {
  if (
    name !== "querySerializer" ||
    !compiler.isObjectLiteralExpression(value)
  ) {
    return false;
  }
  const [array, ...more] = propertiesOf(value, compiler);
  if (array?.name !== "array" || more.length > 0) return false;
  return propertiesOf(array.value, compiler).every((each) => {
    const isJoined = each.value.kind === compiler.SyntaxKind.FalseKeyword;
    switch (each.name) {
      case "style":
        return /^["']form["']$/u.test(each.value.getText());
      case "explode":
        return [...areJoined].every((other) => other === isJoined);
      default:
        return false;
    }
  });
}

/**
 * Prints the property `fetch`. The old one takes a `Request`, and all other
 * options are those of requests.
 */
function printFetch(
  fetch: NamedProperty | undefined,
  init: readonly NamedProperty[],
  { edits, file, migration }: CodeChange,
): string | null {
  const { compiler, hasMiddleware } = migration;
  const { checker } = file.lookup;
  const isGlobal = fetch !== undefined && isGlobalFetch(fetch.value, checker);
  if (fetch !== undefined && init.length === 0) {
    if (isGlobal || hasMiddleware) return edits.slice(fetch.node);
  }
  if (fetch === undefined && init.length === 0) return null;
  const extra = init.map(({ node }) => edits.slice(node)).join(", ");
  const isName =
    fetch !== undefined && compiler.isLeftHandSideExpression(fetch.value);
  const old = fetch === undefined ? "fetch" : edits.slice(fetch.value);
  const callee = isName || fetch === undefined ? old : `(${old})`;
  if (hasMiddleware) {
    return `fetch: (request) => ${callee}(new Request(request, { ${extra} }))`;
  }
  const all = extra === "" ? "init" : `{ ...init, ${extra} }`;
  return fetch === undefined || isGlobal
    ? `fetch: (url, init) => ${callee}(url, ${all})`
    : `fetch: (url, init) => ${callee}(new Request(url, ${all}))`;
}

/** Whether an expression is the `fetch` of the platform. */
function isGlobalFetch(value: ts.Expression, checker: ts.TypeChecker): boolean {
  if (!/^(?:(?:globalThis|window|self)\.)?fetch$/u.test(value.getText())) {
    return false;
  }
  const symbol = checker.getSymbolAtLocation(value);
  return (
    symbol?.declarations?.every(
      (each) => each.getSourceFile().isDeclarationFile,
    ) !== false
  );
}
