import type { ts } from "ts-morph";
import {
  type BaseContext,
  type NewOptions,
  readBaseUrl,
} from "../change/base-url.js";
import {
  type NamedProperty,
  propertiesOf,
  removeProperty,
  type Replace,
} from "../change/properties.js";
import { Unclear } from "../change/unclear.js";
import { checkApi } from "./check-api.js";
import { changeHeaders } from "./change-headers.js";
import { nameInPackage } from "../change/package-client.js";
import { oldPackage } from "./declarations.js";

/** What the options of a new client depend on. */
export interface RestOptionsContext extends BaseContext {
  readonly replace: Replace;
  /** Imports the function that makes a `fetch` of the option `api`. */
  readonly useFetchBy: () => string;
}

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
 * Errors: {@link Unclear} for what has no equivalent.
 */
export function readOptions(
  call: ts.CallExpression,
  context: RestOptionsContext,
): NewOptions {
  const [, options] = call.arguments;
  const { compiler, replace, slice } = context;
  const properties = propertiesOf(options, compiler);
  properties.forEach(checkOption);
  const all = new Map(properties.map((each) => [each.name, each] as const));
  const base = all.get("baseUrl");
  if (options === undefined || base === undefined) {
    throw new Unclear(call, "the client has no base URL");
  }
  const api = all.get("api");
  const isOwn =
    api !== undefined &&
    nameInPackage(api.value, oldPackage, context) === sendName;
  if (api !== undefined && !isOwn) checkApi(api.value, context);
  const { doubtful, text } = readBaseUrl(base, context);
  const headers = all.get("baseHeaders");
  if (headers !== undefined) changeHeaders(headers, context);
  replace(base.node.getStart(), base.node.end, text);
  changeFetch(isOwn ? undefined : api, all.get("credentials"), context);
  if (isOwn) removeProperty(api.node, replace);
  for (const { name, node } of properties) {
    if (dropped.has(name)) removeProperty(node, replace);
  }
  return { text: slice(options), doubtful };
}

/** Errors: {@link Unclear} for an option that has no equivalent. */
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
      throw new Unclear(node, "queries of the contract are not JSON");
    case "throwOnUnknownStatus":
      if (isOff) return;
  }
  throw new Unclear(node, `the option \`${name}\` has no equivalent`);
}

/** Replaces the options that send requests by `fetch`. */
function changeFetch(
  api: NamedProperty | undefined,
  credentials: NamedProperty | undefined,
  { replace, slice, useFetchBy }: RestOptionsContext,
): void {
  const extra = credentials === undefined ? "" : slice(credentials.node);
  if (api !== undefined) {
    const more = extra === "" ? "" : `, { ${extra} }`;
    const text = `fetch: ${useFetchBy()}(${slice(api.value)}${more})`;
    replace(api.node.getStart(), api.node.end, text);
    if (credentials !== undefined) removeProperty(credentials.node, replace);
  } else if (credentials !== undefined) {
    const { node } = credentials;
    const text = `fetch: (url, init) => fetch(url, { ...init, ${extra} })`;
    replace(node.getStart(), node.end, text);
  }
}
