import type { ts } from "ts-morph";
import { type NewOptions, readBaseUrl } from "../change/base-url.js";
import { symbolOf } from "../change/find-creation.js";
import { useHelper } from "../change/new-client.js";
import type { CodeChange } from "../change/old-client.js";
import type { Base } from "../change/operations.js";
import {
  type NamedProperty,
  propertiesOf,
  removeProperty,
} from "../change/properties.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { SymbolLookup } from "../change/uses.js";
import { changeHeaders } from "./change-headers.js";
import { nameInPackage } from "../change/package-client.js";
import { oldPackage } from "./declarations.js";

/** Options that the contract replaces. */
const dropped: ReadonlySet<string> = new Set([
  "jsonQuery",
  "throwOnUnknownStatus",
  "validateResponse",
]);

/** The function of ts-rest that sends requests if there is no option `api`. */
const sendName = "tsRestFetchApi";

/**
 * Converts the options of `initClient`. What stays keeps its comments and its
 * format.
 *
 * Errors: {@link UnsupportedCode} for what has no equivalent.
 */
export function readOptions(
  call: ts.CallExpression,
  base: Base,
  change: CodeChange,
): NewOptions {
  const [, options] = call.arguments;
  const { edits, file } = change;
  const properties = propertiesOf(options, file.lookup.compiler);
  properties.forEach(checkOption);
  const all = new Map(properties.map((each) => [each.name, each] as const));
  const url = all.get("baseUrl");
  if (options === undefined || url === undefined) {
    throw new UnsupportedCode(call, "the client has no base URL");
  }
  const api = all.get("api");
  const isOwn =
    api !== undefined &&
    nameInPackage(api.value, oldPackage, file.lookup) === sendName;
  if (api !== undefined && !isOwn) checkApi(api.value, file.lookup);
  const { doubtful, text } = readBaseUrl(url, base, change);
  const headers = all.get("baseHeaders");
  if (headers !== undefined) changeHeaders(headers, change);
  edits.replace(url.node, text);
  changeFetch(isOwn ? undefined : api, all.get("credentials"), change);
  if (isOwn) removeProperty(api.node, edits);
  for (const { name, node } of properties) {
    if (dropped.has(name)) removeProperty(node, edits);
  }
  return { text: edits.slice(options), doubtful };
}

/** Errors: {@link UnsupportedCode} for an option that has no equivalent. */
function checkOption({ name, node, value }: NamedProperty): void {
  const isOff = value.getText() === "false";
  switch (name) {
    case "api":
    case "baseHeaders":
    case "baseUrl":
    case "credentials":
    case "validateResponse":
      return;
    case "jsonQuery":
      if (isOff) return;
      throw new UnsupportedCode(node, "queries of the contract are not JSON");
    case "throwOnUnknownStatus":
      if (isOff) return;
  }
  throw new UnsupportedCode(node, `the option \`${name}\` has no equivalent`);
}

/** Replaces the options that send requests by `fetch`. */
function changeFetch(
  api: NamedProperty | undefined,
  credentials: NamedProperty | undefined,
  change: CodeChange,
): void {
  const { edits } = change;
  const extra = credentials === undefined ? "" : edits.slice(credentials.node);
  if (api !== undefined) {
    const more = extra === "" ? "" : `, { ${extra} }`;
    const name = useHelper("fetchBy", "fetch-by", change);
    edits.replace(api.node, `fetch: ${name}(${edits.slice(api.value)}${more})`);
    if (credentials !== undefined) removeProperty(credentials.node, edits);
  } else if (credentials !== undefined) {
    const text = `fetch: (url, init) => fetch(url, { ...init, ${extra} })`;
    edits.replace(credentials.node, text);
  }
}

/**
 * Checks the function that sends the requests of a client.
 *
 * Errors: {@link UnsupportedCode} if it can need the contract of ts-rest.
 */
function checkApi(api: ts.Expression, lookup: SymbolLookup): void {
  const code = codeOf(api, lookup);
  if (code === null) {
    throw new UnsupportedCode(api, "the code of this function is unknown");
  }
  const name = /\b(?:rawQuery|route)\b/u.exec(code)?.[0];
  if (name !== undefined) {
    throw new UnsupportedCode(api, `this function uses \`${name}\` of ts-rest`);
  }
}

/** Returns the code of a function, wherever that is. Null if it is unknown. */
function codeOf(node: ts.Expression, lookup: SymbolLookup): string | null {
  const { compiler } = lookup;
  if (compiler.isArrowFunction(node) || compiler.isFunctionExpression(node)) {
    return node.getText();
  }
  // A call such as `createApi(token)` returns a function that it contains.
  const named = compiler.isCallExpression(node) ? node.expression : node;
  const declarations = symbolOf(named, lookup)?.declarations;
  const own = declarations?.find(
    (each) => !each.getSourceFile().isDeclarationFile,
  );
  return own?.getText() ?? null;
}
