import type { Random } from "../../support/random.js";
import { addErrorData } from "./error-data.js";
import { drawStatuses, settleStatuses } from "./statuses.js";
import { drawUnions } from "./draw-unions.js";
import type {
  Meta,
  Sketch,
  SketchField,
  SketchHost,
  SketchHttp,
  SketchMethod,
  SketchService,
  SketchType,
} from "./sketch.js";

const scalars = [
  ...["string", "bool", "int8", "uint8", "int32", "uint32", "int64"],
  ...["uint64", "int", "uint", "float32", "float64", "bigint"],
  ...["timestamp", "any", "[]byte"],
] as const;
const declared = [
  ...["Word", "Short", "Id", "Count", "Words", "Color", "Level"],
  ...["Item", "Hue", "Shape", "Mixed", "Tree", "Deal", "Payment"],
  ...["Slot", "[]Slot", "map<string,Slot>"],
] as const;
export const keys = [
  ...["string", "uint32", "int8", "uint64", "Color", "Word", "Short"],
] as const;
export const fieldNames = ["a", "b", "c", "d", "e", "f", "g"] as const;
export const patterns = [
  // Every pattern matches "ab", so valid requests exist even if several
  // patterns apply.
  ...["^[a-z]+$", "^[a-c]{1,3}$", "^[a-z]{2,5}$", "^[a-z0-9]+$", "^.b"],
] as const;

/**
 * The kinds of types behind the declared names, which determine the limits that
 * a sketch can set.
 */
const meanings: Readonly<Record<string, string>> = {
  ...{ Word: "string", Short: "string", Id: "string", Count: "int32" },
  ...{ Words: "[]Word", Color: "enum", Level: "enum", Item: "struct" },
  ...{ Hue: "known", Slot: "slot" },
};

/** Draws the type of a field. */
export function drawType(random: Random, depth = 0): string {
  if (depth < 2 && random.chance(0.12)) return `[]${drawType(random, 2)}`;
  if (depth < 2 && random.chance(0.1)) {
    return `map<${random.oneOf(keys)},${drawType(random, 2)}>`;
  }
  return random.chance(0.4) ? random.oneOf(declared) : random.oneOf(scalars);
}

/** Draws the limits of a type. Often, there are none. */
export function drawLimits(random: Random, type: string): Meta {
  const meaning = meanings[type] ?? type;
  if (random.chance(0.4)) return {};
  if (meaning.startsWith("[]")) {
    return chooseLimits(random, [
      { maxItems: String(1 + random.below(3)) },
      { minItems: "1" },
      ...(meaning.includes("byte") ? [] : [{ uniqueItems: "true" }]),
    ]);
  }
  if (meaning.startsWith("map")) {
    return chooseLimits(random, [
      { maxProperties: "2" },
      { minProperties: "1" },
    ]);
  }
  if (meaning === "string") {
    return chooseLimits(random, [
      { maxLength: String(2 + random.below(4)) },
      { minLength: String(1 + random.below(2)) },
      { pattern: random.oneOf(patterns) },
      { pattern: random.oneOf(patterns), maxLength: "4" },
      ...(type === "string" ? [{ format: "uri" }] : []),
      // "ab" matches all patterns.
      { enum: random.oneOf(["ab|abc", "ab", "ab|red|7|abc"]) },
    ]);
  }
  if (/int|float/u.test(meaning)) {
    return chooseLimits(random, [
      { minimum: String(random.below(3)) },
      { maximum: random.oneOf(["7", "100", "255", "9007199254740991"]) },
      { minimum: "0", maximum: random.oneOf(["9", "127", "9007199254740991"]) },
      { enum: random.oneOf(["1|5", "5", "1|5|7", "5|0|100"]) },
    ]);
  }
  if (meaning === "bool") {
    return chooseLimits(random, [{ enum: random.oneOf(["true", "false"]) }]);
  }
  if (meaning === "bigint") {
    return chooseLimits(random, [{ enum: random.oneOf(["5", "5|7"]) }]);
  }
  if (meaning === "enum" && type === "Level") {
    return chooseLimits(random, [{ enum: random.oneOf(["Low", "Low|High"]) }]);
  }
  return {};
}

function chooseLimits(random: Random, choices: readonly Meta[]): Meta {
  return random.maybeOneOf(choices) ?? {};
}

/** Draws a field, which may have metadata. */
export function drawField(random: Random, name: string): SketchField {
  const type = drawType(random);
  return {
    name,
    type,
    isOptional: random.chance(0.35),
    meta: {
      ...drawLimits(random, limitable(type)),
      ...(random.chance(0.15) && { nullable: "true" }),
      ...(random.chance(0.06) && { json: `${name}_x` }),
    },
  };
}

/** Prevents limits on `Count`, because edits may change its target. */
function limitable(type: string): string {
  return type === "Count" ? "timestamp" : type;
}

/** Draws several fields with different names. */
export function drawFields(random: Random, count: number): SketchField[] {
  return random
    .shuffled(fieldNames)
    .slice(0, count)
    .map((name) => drawField(random, name));
}

/** Draws a field that collects the members that no other field declares. */
export function drawExtra(random: Random): SketchField {
  return {
    name: "rest",
    type: drawExtraMap(random),
    isOptional: random.chance(0.5),
    meta: { extra: "true", ...drawLimits(random, "map") },
  };
}

/** Draws the type of such a field. */
export function drawExtraMap(random: Random): string {
  const key = random.oneOf(["string", "string", "Word", "Short"]);
  return `map<${key},${drawType(random, 1)}>`;
}

/** Draws a field that can be a path segment. */
export function drawSegment(random: Random, name: string): SketchField {
  const type = random.oneOf([
    ...(["string", "string", "Word", "int32", "Color", "uint64"] as const),
    ...(["[]string", "[]Color", "Id", "bool"] as const),
  ]);
  return { name, type, isOptional: false, meta: {} };
}

export const methodNames = ["Get", "Put", "List", "Find", "Load"] as const;

/** Draws a method of a service that clients call. */
export function drawMethod(
  random: Random,
  name: string,
  sketch: Sketch,
): SketchMethod {
  const method: SketchMethod = {
    name,
    auth: drawAuth(random),
    get: null,
    http: null,
    body: null,
    responseHeaders: [],
    responseStatus: null,
    safety: random.oneOf([null, null, null, "readonly", "idempotent"]),
    input: [],
    output: [],
    isStream: false,
    errors: random.chance(0.5)
      ? null
      : random.shuffled(["NotFound", "Gone"]).slice(0, 1 + random.below(2)),
  };
  const form = random.below(10);
  if (form < 3) return drawRead(random, method, sketch);
  method.input = drawMessage(random, `${name}In`, sketch);
  method.output = drawMessage(random, `${name}Out`, sketch);
  if (form === 3) method.isStream = true;
  if (form === 4 || form === 5) {
    const file = { name: "file", type: "file", isOptional: false, meta: {} };
    method.input = drawFields(random, 2);
    method.output = drawFields(random, 1);
    if (random.chance(0.4)) method.output = [file];
    else method.input.push({ ...file, isOptional: random.chance(0.5) });
  }
  return method;
}

function drawAuth(random: Random): string[] {
  return random.chance(0.6)
    ? []
    : random
        .shuffled(["X-Access-Key", "Authorization"])
        .slice(0, 1 + random.below(2));
}

/** Declares a new struct for a message, and returns its name. */
export function drawMessage(random: Random, name: string, sketch: Sketch) {
  const fields = drawFields(random, 1 + random.below(3));
  if (random.chance(0.15)) fields.push(drawExtra(random));
  sketch.types.push({ kind: "struct", name, fields });
  return name;
}

const segments = ["{x}", "{x}", "{x}", "{x}.json", "v{x}"] as const;

function drawRead(
  random: Random,
  method: SketchMethod,
  sketch: Sketch,
): SketchMethod {
  const names = random.shuffled(["p", "q"]).slice(0, 1 + random.below(2));
  const path = names
    .map((name) => `/${random.oneOf(segments).replace("x", name)}`)
    .join("");
  const start = random.chance(0.3) ? "" : `/${method.name.toLowerCase()}`;
  const output = `${method.name}Out`;
  const fields = drawFields(random, 1 + random.below(2));
  const [only] = fields;
  const hasBody = random.chance(0.6) && only !== undefined;
  if (hasBody) {
    only.isOptional = false;
    fields.splice(1);
  }
  const struct = `${method.name}In`;
  const input = names.map((name) => drawSegment(random, name));
  const http = random.chance(0.6) ? drawHttp(random, input) : null;
  sketch.types.push({ kind: "struct", name: struct, fields: input });
  const hasStatuses = http !== null && random.chance(0.5);
  if (hasStatuses) http.statuses = drawStatuses(random, fields);
  const inHeaders = hasBody || hasStatuses ? drawHeaderFields(random, "h") : [];
  const drawn: SketchMethod = {
    ...method,
    get: `${start}${path}`,
    http,
    body: hasBody ? (only.meta["json"] ?? only.name) : null,
    responseHeaders: inHeaders.map(({ name }) => ({
      name: drawHeaderName(random, name),
      field: name,
    })),
    safety: null,
    input: struct,
    output,
  };
  const outputs = random.shuffled([...fields, ...inHeaders]);
  settleStatuses(drawn, outputs);
  if (outputs.length === 0) return { ...drawn, output: [] };
  sketch.types.push({ kind: "struct", name: output, fields: outputs });
  return drawn;
}

/** Draws up to two fields that can be headers. */
export function drawHeaderFields(random: Random, first: string): SketchField[] {
  return [first, `${first}2`].slice(random.below(3)).map((name) => ({
    ...drawSegment(random, name),
    isOptional: random.chance(0.6),
  }));
}

export function drawHeaderName(random: Random, field: string): string {
  return random.oneOf([`X-${field}`, `x-${field}`, "X-Any", "X-Other"]);
}

/**
 * Draws a verb, a query, headers, a status and a body, and adds their fields.
 */
function drawHttp(random: Random, input: SketchField[]): SketchHttp {
  const verb = random.oneOf(verbs);
  const inQuery = ["m", "n"].slice(random.below(3)).map((name) => ({
    ...drawSegment(random, name),
    isOptional: random.chance(0.6),
  }));
  const inHeaders = random.chance(0.5) ? drawHeaderFields(random, "i") : [];
  const inBody = verb === "GET" ? [] : drawFields(random, random.below(3));
  input.push(...inQuery, ...inHeaders, ...inBody);
  const query = inQuery.map(({ name }) => ({
    name: random.chance(0.3) ? `${name}_x` : name,
    field: name,
  }));
  const [only] = inBody;
  return {
    verb,
    query: random.chance(0.2)
      ? [...query, { name: "fix", field: null }]
      : query,
    headers: inHeaders.map(({ name }) => ({
      name: drawHeaderName(random, name),
      field: name,
    })),
    status: random.oneOf([200, 200, 201, 202]),
    statuses: [],
    whole:
      only && inBody.length === 1 && random.chance(0.5)
        ? (only.meta["json"] ?? only.name)
        : null,
  };
}

export const verbs = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Draws a webhook. */
export function drawEvent(
  random: Random,
  name: string,
  sketch: Sketch,
): SketchMethod {
  return {
    name,
    auth: [],
    get: null,
    http: null,
    body: null,
    responseHeaders: [],
    responseStatus: null,
    safety: null,
    input: drawMessage(random, `${name}In`, sketch),
    output: random.chance(0.5) ? [] : drawMessage(random, `${name}Out`, sketch),
    isStream: false,
    errors: null,
  };
}

/** Draws a small contract that can use most features of the language. */
export function drawSketch(random: Random): Sketch {
  const sketch: Sketch = {
    hosts: [drawHost(random, "trial")],
    errors: [
      { name: "Unauthorized", code: 1, status: 401 },
      { name: "Forbidden", code: 2, status: 403 },
      { name: "NotFound", code: 3, status: 404 },
      { name: "Gone", code: 4, status: 410 },
      ...(random.chance(0.3)
        ? [{ name: "InvalidArgument", code: 5, status: 400 }]
        : []),
    ],
    types: drawTypes(random),
    services: [],
  };
  if (random.chance(0.6)) {
    const fields = drawFields(random, 1 + random.below(4));
    addErrorData(sketch, random, fields, drawHeaderFields(random, "i"));
  }
  const names = random.shuffled(methodNames);
  const methods = names
    .slice(0, 1 + random.below(3))
    .map((name) => drawMethod(random, name, sketch));
  sketch.services.push({
    name: "Shop",
    address: "trial",
    isWebhook: false,
    methods,
  });
  if (random.chance(0.5)) sketch.services.push(drawHooks(random, sketch));
  if (random.chance(0.3)) addHost(sketch, random, "second");
  return sketch;
}

function drawHost(random: Random, address: string): SketchHost {
  const basepath = random.oneOf([
    ...(["/rpc", "/{network}/rpc", "/{network}/{stage}"] as const),
  ]);
  return { address, name: address, basepath };
}

/** Adds a host with a separate service. */
export function addHost(sketch: Sketch, random: Random, address: string): void {
  const taken = sketch.services.flatMap(({ methods }) =>
    methods.map(({ name }) => name),
  );
  const free = methodNames.filter((name) => !taken.includes(name));
  const method = drawMethod(random, free[0] ?? "More", sketch);
  const name = `${address.charAt(0).toUpperCase()}${address.slice(1)}Desk`;
  sketch.hosts.push(drawHost(random, address));
  sketch.services.push({ name, address, isWebhook: false, methods: [method] });
}

/** Adds a service with one or two webhooks. */
export function drawHooks(random: Random, sketch: Sketch): SketchService {
  const events = random.shuffled(["Sold", "Moved"]);
  return {
    name: "Hooks",
    address: "trial",
    isWebhook: true,
    methods: events
      .slice(0, 1 + random.below(2))
      .map((name) => drawEvent(random, name, sketch)),
  };
}

function drawTypes(random: Random): SketchType[] {
  const alias = (name: string, type: string, meta: Meta): SketchType => ({
    kind: "alias",
    name,
    type,
    meta,
  });
  const value = (text: string): string | null =>
    random.chance(0.5) ? text : null;
  const count = random.oneOf(["int32", "uint64", "float64", "int64", "uint8"]);
  return [
    alias("AccessKey", "string", {
      header: "X-Access-Key",
      error: "Unauthorized",
    }),
    alias("Token", "string", {
      header: "Authorization",
      scheme: "Bearer",
      error: "Forbidden",
    }),
    alias("Word", "string", drawLimits(random, "Word")),
    alias("Short", "Word", drawLimits(random, "Word")),
    alias("Id", "string", random.chance(0.6) ? { accept: "integer" } : {}),
    alias("Count", count, drawLimits(random, count)),
    alias("Words", "[]Word", drawLimits(random, "[]Word")),
    alias("Slot", "string", random.chance(0.5) ? { nullable: "true" } : {}),
    alias("Hue", "string", random.chance(0.7) ? { known: "Color" } : {}),
    {
      kind: "enum",
      name: "Color",
      base: "string",
      members: [
        { name: "Red", value: value("red") },
        { name: "Green", value: value("green") },
        { name: "Blue", value: null },
      ],
    },
    {
      kind: "enum",
      name: "Level",
      base: random.oneOf(["uint8", "int32"]),
      members: [
        { name: "Low", value: "0" },
        { name: "High", value: "7" },
      ],
    },
    {
      kind: "struct",
      name: "Item",
      fields: [
        ...drawFields(random, 1 + random.below(3)),
        ...(random.chance(0.2) ? [drawExtra(random)] : []),
      ].map((field) => ({
        ...field,
        // A struct that requires itself has no valid value.
        type: holdsStruct.test(field.type)
          ? field.meta["extra"] === "true"
            ? "map<string,string>"
            : "string"
          : field.type,
      })),
    },
    ...drawUnions(random),
  ];
}

const holdsStruct = /Item|Shape|Mixed|Deal|Payment/u;
