// Checks that the converters of Postman and Bruno import every operation of an
// OpenAPI document.
import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openApiToBruno } from "@usebruno/converters";
import { load } from "js-yaml";

/**
 * Returns the HTTP methods and paths in a document. Webhooks are not included,
 * because neither tool imports them.
 */
function routesOf({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
}

/** Returns the requests in a collection, including those in nested folders. */
function requestsIn({ item, items = item }) {
  return items.flatMap((each) =>
    (each.items ?? each.item) ? requestsIn(each) : [each.request],
  );
}

/**
 * Converts the URL of a request to a path in the document: `:name` to `{name}`.
 */
function pathOf(url) {
  return url.replace(/^\{\{.*?\}\}/u, "").replace(/:(\w+)/gu, "{$1}");
}

/**
 * Throws unless Bruno's converter imports every route. Input: the path of the
 * document.
 */
export function checkBruno(path) {
  const document = load(readFileSync(path, "utf8"));
  const routes = requestsIn(openApiToBruno(document)).map(
    ({ method, url }) => `${method} ${pathOf(url)}`,
  );
  deepStrictEqual(routes.sort(), routesOf(document).sort());
}

/**
 * Throws unless a Postman collection contains every route of its document.
 * Input: the paths of both files.
 */
export function checkPostman(path, collection) {
  const document = load(readFileSync(path, "utf8"));
  const routes = requestsIn(JSON.parse(readFileSync(collection, "utf8"))).map(
    ({ method, url }) => `${method} ${pathOf(`/${url.path.join("/")}`)}`,
  );
  deepStrictEqual(routes.sort(), routesOf(document).sort());
}
