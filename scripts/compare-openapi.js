// Imports OpenAPI documents, prints OpenAPI from the contracts, and compares
// it with the documents by oasdiff (https://www.oasdiff.com), which has to be
// installed: `go install github.com/oasdiff/oasdiff@latest`.
//   npm run build && node scripts/compare-openapi.js <document>... [--list]
// For each document, the script prints the numbers of its operations, of all
// differences, and of silent ones, which neither a note about a loss nor a rule
// explains. `--list` also prints how often each kind of silent difference occurs,
// and an example.
//
// Credentials are left out, because their names differ, and so is what
// `compare-import.js` judges better: the values of a schema.
import { spawnSync } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parse } from "yaml";
import { importDocument } from "./import-notes.js";
import { bundle, mapValues, valueAt, verbs } from "./openapi-documents.js";

const words = process.argv.slice(2);
const isListing = words.includes("--list");
const bin = resolve(import.meta.dirname, "../bin/ridl.js");
const work = mkdtempSync(join(tmpdir(), "ridlkit-compare-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

/** Prints OpenAPI from the documents that an import wrote. */
function printOpenApi(folder) {
  const schema = readdirSync(folder).filter((each) => each.endsWith(".ridl"));
  const config = { schema, out: "out", emit: ["openapi"] };
  writeFileSync(join(folder, "ridl.config.yaml"), JSON.stringify(config));
  const { status, stderr } = spawnSync(
    process.execPath,
    [bin, "generate", "--force"],
    { cwd: folder, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return readdirSync(join(folder, "out"), { recursive: true })
    .filter((each) => basename(each) === "openapi.yaml")
    .map((each) =>
      parse(readFileSync(join(folder, "out", each), "utf8"), {
        maxAliasCount: -1,
      }),
    );
}

/**
 * Puts the operations of several documents into one, at their paths with those
 * of their servers, and removes what has no effect on the wire.
 */
function combine(documents) {
  const whole = { openapi: documents[0].openapi, components: {}, paths: {} };
  documents.forEach((document, index) => {
    const own = withPrefix(document, `Host${String(index)}`);
    const { securitySchemes, ...components } = own.components;
    for (const [kind, named] of Object.entries(components)) {
      whole.components[kind] = { ...whole.components[kind], ...named };
    }
    for (const { path, verb, operation } of operationsIn(own)) {
      whole.paths[path] ??= {};
      whole.paths[path][verb] ??= operation;
    }
  });
  return { ...simplify(whole, whole), info: { title: "", version: "1" } };
}

/** Returns a copy of a document whose components have longer names. */
function withPrefix(document, prefix) {
  const text = JSON.stringify(document).replaceAll(
    /"#\/components\/\w+\//gu,
    (all) => all + prefix,
  );
  const { components = {}, ...rest } = JSON.parse(text);
  const renamed = mapValues(components, (named) =>
    Object.fromEntries(
      Object.entries(named).map(([name, each]) => [prefix + name, each]),
    ),
  );
  return { ...rest, components: renamed };
}

/** Lists operations with their whole paths and all of their parameters. */
function operationsIn(document) {
  return Object.entries(document.paths).flatMap(([name, item]) =>
    verbs
      .filter((verb) => item[verb] !== undefined)
      .map((verb) => {
        const { operationId, tags, servers, security, ...rest } = item[verb];
        const [server] = servers ?? item.servers ?? document.servers ?? [];
        const parameters = new Map(
          [item, rest]
            .flatMap((holder) => holder.parameters ?? [])
            .map((each) => {
              const { name: own, in: place } = target(each, document);
              return [`${place} ${own}`, each];
            }),
        );
        return {
          path: pathOf(server?.url) + name.split("#")[0],
          verb,
          operation: { ...rest, parameters: [...parameters.values()] },
        };
      }),
  );
}

/** Returns the path of a server's URL, without a slash at its end. */
function pathOf(url = "") {
  const [, path] = /^(?:\w+:\/\/[^/]*)?(.*?)\/?$/u.exec(url);
  return path.split("{")[0];
}

/** What says nothing about messages, or is a matter of `compare-import.js`. */
const ignored = new Set([
  "description",
  "summary",
  "example",
  "examples",
  "externalDocs",
  "deprecated",
  "callbacks",
  "links",
  "discriminator",
  "readOnly",
  "writeOnly",
  "title",
  "xml",
  "format",
  "default",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "additionalProperties",
]);

/** Keys of objects whose members have names of their own. */
const namesKeys = new Set([
  "properties",
  "patternProperties",
  "schemas",
  "paths",
  "responses",
  "headers",
  "content",
  "parameters",
  "requestBodies",
]);

/** Writes the ways to say the same in one way, and removes what is ignored. */
function simplify(value, root, isNames = false) {
  if (Array.isArray(value)) return value.map((each) => simplify(each, root));
  if (typeof value !== "object" || value === null) return value;
  const result = {};
  for (const [key, each] of Object.entries(
    isNames ? value : merge(value, root),
  )) {
    if (!isNames && (ignored.has(key) || key.startsWith("x-"))) continue;
    result[key] = simplify(each, root, !isNames && namesKeys.has(key));
  }
  return result;
}

/** Writes a type that can be null with a list of types, and `const` as `enum`. */
function merge(schema, root) {
  if ("const" in schema && typeof schema.const !== "object") {
    const { const: only, ...rest } = schema;
    return { ...rest, enum: [only] };
  }
  const { anyOf, oneOf = anyOf } = schema;
  if (schema.enum?.includes(null)) {
    return { ...schema, enum: schema.enum.filter((each) => each !== null) };
  }
  // The import reads the second part as a statement about the first.
  if (schema.allOf?.length === 2 && schema.allOf[1].nullable === true) {
    const other = target(schema.allOf[0], root);
    return { ...other, nullable: true };
  }
  const isNull = (each) => each.type === "null";
  if (Array.isArray(oneOf) && oneOf.length === 2 && oneOf.some(isNull)) {
    const other = target(
      oneOf.find((each) => !isNull(each)),
      root,
    );
    if (typeof other.type === "string" || Array.isArray(other.type)) {
      return { ...other, type: [...new Set([other.type, "null"].flat())] };
    }
  }
  return schema;
}

/** Returns what a schema or a parameter refers to, or itself. */
function target(schema, root) {
  return schema.$ref === undefined
    ? merge(schema, root)
    : target(valueAt(root, schema.$ref) ?? {}, root);
}

function compare(before, after) {
  const paths = [join(work, "before.json"), join(work, "after.json")];
  writeFileSync(paths[0], JSON.stringify(before));
  writeFileSync(paths[1], JSON.stringify(after));
  const { error, stdout, stderr } = spawnSync(
    "oasdiff",
    [
      "changelog",
      ...paths,
      "--format",
      "json",
      "--auto-upgrade",
      "--flatten-allof",
    ],
    { encoding: "utf8", maxBuffer: 1e9 },
  );
  if (error !== undefined) throw error;
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) ?? [];
}

/** The rules of all imports, which docs/import.md states. */
const rules = [
  // Bodies are required if one of their fields is.
  /^request-body-became-(?:optional|required)$/u,
  // Parameters cannot be null.
  /^request-parameter-became-not-nullable$/u,
  // Bodies of errors are webrpc's envelope if there is no other.
  /^response-media-type-added$/u,
  // Optional headers are those of all responses of a method or an error.
  /^response-header-added$/u,
  // The other path of an operation that has webrpc's has a note.
  /^endpoint-added$/u,
  // Only structs without a counterpart in the other document.
  /^api-schema-/u,
  // Errors of credentials and of requests that the contract rejects.
  /^response-non-success-status-added$/u,
  // Operations have a success, which is 200 without a body.
  /^response-success-status-added$/u,
  // How a schema is composed. `compare-import.js` tries its values.
  /^(?:new-required|new-optional)-request-property$/u,
  /^response-(?:required|optional)-property-(?:added|removed)$/u,
  /-(?:any|one|all)-of-(?:added|removed)$/u,
  /-type-(?:changed|generalized|specialized)$/u,
  /-list-of-types-(?:narrowed|widened)$/u,
  /^(?:request|response)-property-/u,
];

/** What servers write on their own, and headers that OpenAPI ignores. */
const ownHeaders =
  /`access-control-|the status `304`|header(?: parameter)? `(?:accept|content-type)`|`header` request parameter `(?:accept|content-type)`/u;

const errorStatus =
  /`(?:default|[345]\d\d)` status|status `(?:default|[345]\d\d)`|^response-non-success/u;

/** Whether a method that declares no errors can return each of the contract. */
function isOpen({ verb, path }, document) {
  const { responses = {} } = document.paths[path][verb];
  return !Object.keys(responses).some((status) => /^[345]/u.test(status));
}

/** An object in the query is a parameter for each of its fields. */
const queryObject =
  /^(?:request-parameter-removed|new-optional-request-param)/u;

const isRule = ({ id, text }) =>
  rules.some((rule) => rule.test(id)) ||
  ownHeaders.test(text) ||
  (queryObject.test(id) && text.includes("`query`"));

function measure(path) {
  const folder = mkdtempSync(join(work, "import-"));
  const operations = importDocument(path, join(folder, "imported.ridl"));
  const original = bundle(path);
  const differences = compare(
    combine([original]),
    combine(printOpenApi(folder)),
  );
  const isLoss = ({ level }) => level !== "advice";
  const silent = differences.filter((each) => {
    const { operation, path: at = "", text } = each;
    const own = operations.filter(
      ({ verb, path: name }) =>
        verb.toUpperCase() === operation && at.endsWith(name.split("#")[0]),
    );
    // A note about the media type of a file is advice.
    const [, type = null] = /media type `([^`]+)`/u.exec(text) ?? [];
    const isNoted = own.some(({ notes }) =>
      notes.some(
        (note) => isLoss(note) || (type && note.message.includes(type)),
      ),
    );
    const isError = errorStatus.test(text) || errorStatus.test(each.id);
    const isOther = isError && own.some((known) => isOpen(known, original));
    return !isNoted && !isOther && !isRule(each);
  });
  return { operations: operations.length, differences, silent };
}

console.log("document\toperations\tdifferences\tsilent");
for (const word of words.filter((each) => !each.startsWith("--"))) {
  const { operations, differences, silent } = measure(resolve(word));
  const counts = [operations, differences.length, silent.length];
  console.log([basename(word), ...counts].join("\t"));
  if (!isListing) continue;
  const kinds = new Map();
  for (const each of silent) {
    kinds.set(each.id, [...(kinds.get(each.id) ?? []), each]);
  }
  for (const [id, [first, ...others]] of kinds) {
    const { operation = "", path = "", text } = first;
    console.log(`${others.length + 1}\t${id}: ${operation} ${path} ${text}`);
  }
}
