import type {
  FormEntry,
  FormList,
  FormMap,
  FormNode,
  FormText,
} from "../../../generator/1-parse/form/form-node.js";

/** The nodes of an object by their keys. An absent key is left out. */
type Members = Readonly<Record<string, FormNode | null | undefined>>;

/** Where shared objects are in Swagger 2, and in OpenAPI 3. */
const moved = {
  "/definitions/": "/components/schemas/",
  "/parameters/": "/components/parameters/",
  "/responses/": "/components/responses/",
} as const;

/** The keys of a document that become part of others. */
const replaced: readonly string[] = [
  ...["swagger", "host", "basePath", "schemes", "consumes", "produces"],
  ...["definitions", "parameters", "responses", "securityDefinitions"],
];

const verbs: ReadonlySet<string> = new Set([
  ...["get", "put", "post", "delete", "patch", "head", "options"],
]);

/** What is not the schema of a parameter or a header. */
const beside: ReadonlySet<string> = new Set([
  ...["name", "in", "description", "required", "allowEmptyValue"],
  "collectionFormat",
]);

/** Values of an API, whose keys have no meaning. */
const values: ReadonlySet<string> = new Set([
  ...["default", "enum", "example", "examples", "x-example", "x-examples"],
]);

/** How a list is written, by `collectionFormat`. */
const styles = new Map([
  ["ssv", "spaceDelimited"],
  ["pipes", "pipeDelimited"],
]);

const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data";

/** Whether a document is Swagger 2. */
export function isSwagger(node: FormNode): node is FormMap {
  return /^2(?:\.|$)/u.test(textOf(get(node, "swagger")) ?? "");
}

/**
 * Converts Swagger 2 to OpenAPI 3.0. Nodes keep their places, and keys that have
 * no equivalent stay, so that they are noted.
 */
export function upgradeSwagger(document: FormMap): FormMap {
  return new Upgrade(document).run();
}

/** Returns where the value at a pointer is after the conversion. */
export function upgradePointer(pointer: string): string {
  const found = Object.entries(moved).find(([from]) =>
    pointer.startsWith(from),
  );
  return found === undefined
    ? pointer
    : found[1] + pointer.slice(found[0].length);
}

class Upgrade {
  readonly #document: FormMap;

  constructor(document: FormMap) {
    this.#document = document;
  }

  run(): FormMap {
    const document = this.#document;
    const kept = without(document, replaced);
    const converted = change(kept, "paths", (paths) =>
      mapValues(paths, (path) => this.#path(path)),
    );
    return add(converted, {
      openapi: textNode("3.0.4", get(document, "swagger") ?? document),
      servers: this.#servers(),
      components: objectOf(document, {
        schemas: convert(get(document, "definitions")),
        parameters: mapValues(get(document, "parameters"), (part) =>
          isBody(part) ? null : upgradeParameter(part),
        ),
        responses: mapValues(get(document, "responses"), (response) =>
          this.#response(response, get(document, "produces")),
        ),
        securitySchemes: mapValues(
          get(document, "securityDefinitions"),
          upgradeScheme,
        ),
      }),
    });
  }

  /** The address is that of the document if it names no host or scheme. */
  #servers(): FormNode | null {
    const host = get(this.#document, "host");
    const basePath = get(this.#document, "basePath");
    const at = host ?? basePath;
    if (at === null) return null;
    const path = textOf(basePath) ?? "";
    const schemes = itemsOf(get(this.#document, "schemes"));
    const urls =
      host === null
        ? [textNode(path, at)]
        : (schemes.length === 0 ? [null] : schemes).map((scheme) =>
            textNode(
              `${textOf(scheme) ?? "https"}://${textOf(host) ?? ""}${path}`,
              scheme ?? host,
            ),
          );
    return listOf(
      at,
      urls.map((url) => objectOf(url, { url })),
    );
  }

  #path(path: FormNode): FormNode {
    if (path.kind !== "map") return path;
    const shared = itemsOf(get(path, "parameters"));
    const entries = Array.from(path.entries, ([key, entry]) =>
      verbs.has(key)
        ? withValue(entry, this.#operation(entry.value, shared))
        : entry,
    );
    const upgraded = { ...path, entries: entriesOf(entries) };
    return this.#withoutBodies(upgraded);
  }

  #operation(operation: FormNode, shared: readonly FormNode[]): FormNode {
    if (operation.kind !== "map") return operation;
    const own = itemsOf(get(operation, "parameters"));
    const bodiesIn = (parts: readonly FormNode[]): readonly FormMap[] =>
      parts.map((part) => this.#resolve(part)).filter(isBody);
    const ownBodies = bodiesIn(own);
    const bodies = [
      ...ownBodies,
      ...bodiesIn(shared).filter((each) =>
        ownBodies.every((body) => areBothFields(body, each)),
      ),
    ];
    const produces =
      get(operation, "produces") ?? get(this.#document, "produces");
    const moved = ["consumes", "produces"];
    const isSame = this.#isOwnScheme(get(operation, "schemes"));
    const kept = without(operation, isSame ? [...moved, "schemes"] : moved);
    const responses = change(this.#withoutBodies(kept), "responses", (all) =>
      mapValues(all, (response) => this.#response(response, produces)),
    );
    const consumes =
      get(operation, "consumes") ?? get(this.#document, "consumes");
    return bodies.length === 0
      ? responses
      : add(responses, { requestBody: upgradeBody(bodies, consumes) });
  }

  /** Whether one of the schemes of an operation is that of its address. */
  #isOwnScheme(schemes: FormNode | null): boolean {
    // The document without a host has no scheme either.
    if (get(this.#document, "host") === null) return true;
    const [first = null] = itemsOf(get(this.#document, "schemes"));
    return itemsOf(schemes)
      .map(textOf)
      .includes(textOf(first) ?? "https");
  }

  /** Bodies are not parameters in OpenAPI 3, so each use of one has its own. */
  #resolve(parameter: FormNode): FormNode {
    const name = textOf(get(parameter, "$ref"));
    if (!name?.startsWith("#/parameters/")) return parameter;
    const key = name.slice("#/parameters/".length);
    return get(get(this.#document, "parameters"), key) ?? parameter;
  }

  #withoutBodies(holder: FormMap): FormMap {
    return change(holder, "parameters", (list) =>
      listOf(
        list,
        itemsOf(list)
          .filter((each) => !isBody(this.#resolve(each)))
          .map(upgradeParameter),
      ),
    );
  }

  #response(response: FormNode, produces: FormNode | null): FormNode {
    if (response.kind !== "map" || response.entries.has("$ref")) {
      return convert(response);
    }
    const schema = get(response, "schema");
    const isFile = textOf(get(schema, "type")) === "file";
    const listed = itemsOf(produces).map(textOf);
    const usual = isFile ? "application/octet-stream" : "application/json";
    const types = listed.length === 0 ? [usual] : listed;
    const examples = get(response, "examples");
    const content =
      schema &&
      objectOf(
        schema,
        Object.fromEntries(
          types.map((type) => [
            type ?? usual,
            objectOf(schema, {
              schema: convert(schema),
              example: get(examples, type ?? usual),
            }),
          ]),
        ),
      );
    const kept = without(response, ["schema", "examples"]);
    const upgraded = change(kept, "headers", (headers) =>
      mapValues(headers, upgradeParameter),
    );
    return add(upgraded, { content });
  }
}

/** Moves what is said about the values of a parameter or a header to a schema. */
function upgradeParameter(parameter: FormNode): FormNode {
  if (parameter.kind !== "map" || parameter.entries.has("$ref")) {
    return convert(parameter);
  }
  const [kept, schema] = split(parameter);
  return add(kept, { schema, ...styleOf(parameter) });
}

/** Returns what describes a parameter, and the schema of its values. */
function split(parameter: FormMap): readonly [FormMap, FormNode] {
  const isKept = (key: string): boolean =>
    beside.has(key) || key.startsWith("x-");
  const keys = [...parameter.entries.keys()];
  const kept = without(parameter, [
    "collectionFormat",
    ...keys.filter((key) => !isKept(key)),
  ]);
  return [kept, convert(without(parameter, keys.filter(isKept)))];
}

function styleOf(parameter: FormMap): Members {
  if (textOf(get(parameter, "type")) !== "array") return {};
  const written = get(parameter, "collectionFormat");
  const format = textOf(written) ?? "csv";
  const at = written ?? parameter;
  if (textOf(get(parameter, "in")) === "query" || format === "multi") {
    const explode = format === "multi" ? "true" : "false";
    const style = format === "csv" || format === "multi" ? "form" : format;
    return {
      style: textNode(styles.get(style) ?? style, at),
      explode: { ...textNode(explode, at), type: "boolean" },
    };
  }
  return format === "csv" ? {} : { style: textNode(format, at) };
}

/** Converts a body, or the fields of a form. */
function upgradeBody(
  parameters: readonly FormMap[],
  consumes: FormNode | null,
): FormNode | null {
  const [first] = parameters;
  if (first === undefined) return null;
  const body = parameters.find((each) => textOf(get(each, "in")) === "body");
  const listed = itemsOf(consumes).flatMap((each) => textOf(each) ?? []);
  if (body !== undefined) {
    const schema = convert(get(body, "schema") ?? objectOf(body, {}));
    const types = listed.filter((type) => type !== form && type !== multipart);
    return objectOf(body, {
      description: get(body, "description"),
      required: get(body, "required"),
      content: contentOf(body, types, "application/json", { schema }),
    });
  }
  const isFile = (part: FormNode): boolean =>
    textOf(get(part, "type")) === "file";
  const types = parameters.some(isFile)
    ? [multipart]
    : listed.filter((type) => type === form || type === multipart);
  const nameOf = (part: FormNode): string => textOf(get(part, "name")) ?? "";
  const required = parameters.filter(
    (part) => textOf(get(part, "required")) === "true",
  );
  const names = required.flatMap((part) => get(part, "name") ?? []);
  const schema = objectOf(first, {
    type: textNode("object", first),
    properties: objectOf(
      first,
      Object.fromEntries(
        parameters.map((part) => [nameOf(part), formField(part)]),
      ),
    ),
    ...(names.length > 0 && { required: listOf(first, names) }),
  });
  const encoding = objectOf(
    first,
    Object.fromEntries(
      parameters
        .filter((part) => textOf(get(part, "type")) === "array")
        .map((part) => [nameOf(part), objectOf(part, styleOf(part))]),
    ),
  );
  return objectOf(first, {
    ...(names.length > 0 && {
      required: { ...textNode("true", first), type: "boolean" },
    }),
    content: contentOf(first, types, form, {
      schema,
      ...(encoding.entries.size > 0 && { encoding }),
    }),
  });
}

function contentOf(
  at: FormNode,
  types: readonly string[],
  usual: string,
  members: Members,
): FormNode {
  const all = types.length === 0 ? [usual] : types;
  const media = objectOf(at, members);
  return objectOf(at, Object.fromEntries(all.map((type) => [type, media])));
}

function formField(parameter: FormMap): FormNode {
  const [kept, schema] = split(parameter);
  return schema.kind === "map"
    ? add(schema, { description: get(kept, "description") })
    : schema;
}

function upgradeScheme(scheme: FormNode): FormNode {
  if (scheme.kind !== "map") return scheme;
  const type = get(scheme, "type");
  if (type === null) return scheme;
  if (textOf(type) === "basic") {
    return add(without(scheme, ["type"]), {
      type: textNode("http", type),
      scheme: textNode("basic", type),
    });
  }
  if (textOf(type) !== "oauth2") return scheme;
  const flow = get(scheme, "flow") ?? type;
  const keys = ["authorizationUrl", "tokenUrl", "scopes"];
  const members = keys.map((key) => [key, get(scheme, key)] as const);
  const names = new Map([
    ["application", "clientCredentials"],
    ["accessCode", "authorizationCode"],
  ]);
  const name = textOf(flow) ?? "implicit";
  return add(without(scheme, ["flow", ...keys]), {
    flows: objectOf(flow, {
      [names.get(name) ?? name]: objectOf(flow, Object.fromEntries(members)),
    }),
  });
}

/** Converts schemas, wherever they are. */
function convert<Node extends FormNode | null>(node: Node): Node | FormNode {
  if (node === null || node.kind === "text" || node.kind === "null") {
    return node;
  }
  if (node.kind === "list") return listOf(node, node.items.map(convert));
  const entries = Array.from(node.entries, ([key, entry]) =>
    values.has(key) ? entry : withValue(entry, convertMember(key, entry.value)),
  );
  const converted: FormMap = { ...node, entries: entriesOf(entries) };
  const nullable = get(converted, "x-nullable");
  const type = get(converted, "type");
  const isFile = textOf(type) === "file";
  return add(converted, {
    ...(nullable?.kind === "text" && { nullable }),
    ...(isFile &&
      type && {
        type: textNode("string", type),
        format: textNode("binary", type),
      }),
  });
}

function convertMember(key: string, value: FormNode): FormNode {
  return key === "discriminator" && value.kind === "text"
    ? objectOf(value, { propertyName: value })
    : convert(value);
}

function isBody(parameter: FormNode): parameter is FormMap {
  const place = textOf(get(parameter, "in"));
  return place === "body" || place === "formData";
}

/** Whether a request can have both: two fields of a form. */
function areBothFields(one: FormMap, other: FormMap): boolean {
  const [own, inherited] = [one, other].map((each) => ({
    name: textOf(get(each, "name")),
    place: textOf(get(each, "in")),
  }));
  return (
    own?.place === "formData" &&
    inherited?.place === "formData" &&
    own.name !== inherited.name
  );
}

function get(node: FormNode | null, key: string): FormNode | null {
  return node?.kind === "map" ? (node.entries.get(key)?.value ?? null) : null;
}

function textOf(node: FormNode | null): string | null {
  return node?.kind === "text" ? node.text : null;
}

function itemsOf(node: FormNode | null): readonly FormNode[] {
  return node?.kind === "list" ? node.items : [];
}

function textNode(text: string, { span }: FormNode): FormText {
  return { kind: "text", text, span, type: "string", isVerbatim: false };
}

function listOf({ span }: FormNode, items: readonly FormNode[]): FormList {
  return { kind: "list", span, items };
}

function objectOf(at: FormNode, members: Members): FormMap {
  return add({ kind: "map", span: at.span, entries: new Map() }, members);
}

function entriesOf(
  entries: readonly FormEntry[],
): ReadonlyMap<string, FormEntry> {
  return new Map(entries.map((entry) => [entry.key.text, entry]));
}

function withValue(entry: FormEntry, value: FormNode): FormEntry {
  return { ...entry, value };
}

function add(node: FormMap, members: Members): FormMap {
  const entries = new Map(node.entries);
  for (const [key, value] of Object.entries(members)) {
    if (!value) continue;
    entries.set(key, { key: textNode(key, value), value });
  }
  return { ...node, entries };
}

function without(node: FormMap, keys: readonly string[]): FormMap {
  const left = [...node.entries].filter(([key]) => !keys.includes(key));
  return { ...node, entries: new Map(left) };
}

function change(
  node: FormMap,
  key: string,
  map: (value: FormNode) => FormNode | null,
): FormMap {
  const entry = node.entries.get(key);
  const value = entry && map(entry.value);
  if (!entry || !value) return node;
  return {
    ...node,
    entries: new Map(node.entries).set(key, withValue(entry, value)),
  };
}

/** Maps the values of an object, and leaves out those that become null. */
function mapValues<Node extends FormNode | null>(
  node: Node,
  map: (value: FormNode) => FormNode | null,
): Node | FormMap {
  if (node?.kind !== "map") return node;
  const entries = [...node.entries.values()].flatMap((entry) => {
    const value = map(entry.value);
    return value === null ? [] : [withValue(entry, value)];
  });
  return { ...node, entries: entriesOf(entries) };
}
