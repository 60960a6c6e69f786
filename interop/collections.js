// Imports the OpenAPI document into Postman and Bruno, as their users do.
import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openApiToBruno } from "@usebruno/converters";
import { load } from "js-yaml";

/** Verbs and paths of a document; both tools leave webhooks out. */
function routesOf({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
}

/** The requests of a collection, which has folders in folders. */
function requestsIn({ item, items = item }) {
  return items.flatMap((each) =>
    (each.items ?? each.item) ? requestsIn(each) : [each.request],
  );
}

/** A path as the document has it: `:name` is `{name}`. */
function pathOf(url) {
  return url.replace(/^\{\{.*?\}\}/u, "").replace(/:(\w+)/gu, "{$1}");
}

/** Input: the path of a document. */
export function checkBruno(path) {
  const document = load(readFileSync(path, "utf8"));
  const routes = requestsIn(openApiToBruno(document)).map(
    ({ method, url }) => `${method} ${pathOf(url)}`,
  );
  deepStrictEqual(routes.sort(), routesOf(document).sort());
}

/** Input: the paths of a document and of the collection made from it. */
export function checkPostman(path, collection) {
  const document = load(readFileSync(path, "utf8"));
  const routes = requestsIn(JSON.parse(readFileSync(collection, "utf8"))).map(
    ({ method, url }) => `${method} ${pathOf(`/${url.path.join("/")}`)}`,
  );
  deepStrictEqual(routes.sort(), routesOf(document).sort());
}
