import { validatorsEmitter } from "../../../generator/4-emit/typescript/validators/validators.js";
import { compileContract } from "../../../generator/compile.js";
import { importOpenapi } from "../../../tools/import/import-openapi.js";
import { NameScope, toTypeName } from "../../../tools/import/model/names.js";
import type { FileReader } from "../../../tools/import/read/document-files.js";
import type {
  Contract,
  Field,
  Method,
} from "../../../generator/ir/contract.js";
import { methodsOf } from "../../../generator/ir/methods-of.js";
import { FailureReport } from "../../../runtime/typescript/values/validation.js";
import {
  contract,
  field,
  host,
  message,
  method,
  reference,
  service,
} from "../../support/contract-parts.js";
import { Random } from "../../support/random.js";
import { exportedFunction, runEmitted } from "../../support/run-emitted.js";
import { ValueDrawer } from "./draw-value.js";
import { type Judgement, Judge } from "./judge.js";
import { withoutNulls } from "./without-nulls.js";
import { findNote, type Notes, readNotes } from "./notes-at.js";
import {
  keyOf,
  membersOf,
  tagsIn,
  type ComparedPlace,
  Places,
} from "./places.js";

/** A value that only one of contract and document accepts. */
export interface Disagreement {
  readonly place: string;
  readonly value: unknown;
  /** Which of the two accepts the value. */
  readonly acceptedBy: "contract" | "document";
  /** What the other one reports. */
  readonly faults: readonly string[];
  /** The note that announces it, or null if nothing does. */
  readonly note: string | null;
}

/** The result of a comparison. */
export interface Comparison {
  readonly types: number;
  readonly values: number;
  /** How many values the document accepts. */
  readonly valid: number;
  readonly disagreements: readonly Disagreement[];
  /** Schemas of the document that the contract has at no known place. */
  readonly missing: readonly string[];
}

/** A schema of the document, and what the contract has in its place. */
interface Subject {
  readonly place: ComparedPlace;
  readonly use: "request" | "response" | null;
  readonly fields: readonly Field[];
  /** Whether the value is the only field, and not the object of all fields. */
  readonly isWrapped: boolean;
}

/**
 * Compares what an OpenAPI document and the contract that is imported from it
 * accept: the shared schemas, and bodies in JSON of requests and successes. Draws
 * `count` values of each, half of which are mostly invalid.
 */
export function compareImport(
  name: string,
  readers: {
    readonly text: FileReader;
    readonly parsed: (file: string) => unknown;
  },
  { count, seed }: { readonly count: number; readonly seed: number },
): Comparison | null {
  const { documents, diagnostics } = importOpenapi(
    name,
    readers.text,
    "compared",
  );
  if (documents === null) return null;
  const { value, diagnostics: found } = compileContract([...documents.keys()], {
    read: (path) => documents.get(path) ?? null,
  });
  if (value === null) throw new Error(found[0]?.message);
  const places = new Places(readers.parsed);
  const { subjects, missing } = findSubjects(places.root(name), places, value);
  const check = createChecks(value, subjects);
  const judges = {
    request: new Judge(places, "readOnly"),
    response: new Judge(places, "writeOnly"),
    shared: new Judge(places, null),
  };
  const notes = readNotes(diagnostics);
  const tags = new Set(findTags(readers.parsed(name)));
  const random = new Random(seed);
  const drawer = new ValueDrawer(places, random);
  const disagreements: Disagreement[] = [];
  let valid = 0;
  subjects.forEach((subject, index) => {
    const validate = judges[subject.use ?? "shared"].compile(subject.place);
    for (let left = count; left > 0; left--) {
      const drawn =
        left % 2 === 0
          ? drawer.draw(subject.place)
          : drawer.drawFlawed(subject.place);
      const text = JSON.stringify(drawn);
      const judgement = validate(JSON.parse(text));
      const failures = check(index, JSON.parse(text));
      if (judgement.length === 0) valid += 1;
      if ((judgement.length === 0) === (failures.length === 0)) continue;
      const found = explain(subject, JSON.parse(text), {
        places,
        notes,
        tags,
        failures,
        validate,
      });
      if (found !== null) disagreements.push(found);
    }
  });
  const values = subjects.length * count;
  return { types: subjects.length, values, valid, disagreements, missing };
}

interface Failure {
  readonly path: readonly (string | number)[];
  readonly expected: string;
  readonly got: string;
}

/** Returns the checks of the subjects, as servers run them. */
function createChecks(
  imported: Contract,
  subjects: readonly Subject[],
): (index: number, value: unknown) => readonly Failure[] {
  const methods = subjects.map(({ fields }, index) =>
    method("Compare", `Place${index}`, { request: message(fields) }),
  );
  const name = "compare";
  const compared = contract(
    imported.types.map((type) => ({ ...type, host: name })),
    [host(name, [service("Compare", methods)])],
  );
  const text = validatorsEmitter.emit(compared, {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  })[0]?.text;
  const exported = runEmitted(text ?? "");
  return (index, value) => {
    const report = new FailureReport({ dropsNulls: true, isRequest: true });
    const { fields, isWrapped } = subjects[index] ?? {};
    const [only] = fields ?? [];
    const whole = isWrapped ? { [only?.jsonName ?? ""]: value } : value;
    const name = `checkPlace${index}Request`;
    // A message without fields has no check.
    if (fields?.length === 0 && !(name in exported)) return [];
    exportedFunction(exported, name)(whole, report);
    return report.failures.map((failure) => ({
      ...failure,
      path: isWrapped ? failure.path.slice(1) : failure.path,
    }));
  };
}

/** Finds schemas that the contract has at the same place. */
function findSubjects(
  root: ComparedPlace,
  places: Places,
  imported: Contract,
): { subjects: readonly Subject[]; missing: readonly string[] } {
  const missing: string[] = [];
  const shared = sharedSchemas(root, places).flatMap(
    ({ place, name }): Subject[] => {
      const isDeclared = imported.types.some((type) => type.name === name);
      if (!isDeclared) missing.push(place.pointer);
      const fields = [field("value", reference(name))];
      return isDeclared ? [{ place, use: null, fields, isWrapped: true }] : [];
    },
  );
  return {
    subjects: [...shared, ...bodies(root, places, imported, missing)],
    missing,
  };
}

/** Returns shared schemas with the names that the import gives them. */
function sharedSchemas(
  root: ComparedPlace,
  places: Places,
): readonly { readonly place: ComparedPlace; readonly name: string }[] {
  const written =
    places.at(root, "components", "schemas") ?? places.at(root, "definitions");
  const names = new NameScope();
  const all = places.children(written);
  const isName = (place: ComparedPlace): boolean =>
    toTypeName(keyOf(place), "Type") === keyOf(place);
  return [...all.filter(isName), ...all.filter((each) => !isName(each))]
    .map((place) => ({
      place,
      name: names.take(toTypeName(keyOf(place), "Type")),
    }))
    .filter(({ place }) => places.follow(place) === null);
}

/** Finds the bodies of requests and successes by the address of the method. */
function bodies(
  root: ComparedPlace,
  places: Places,
  imported: Contract,
  missing: string[],
): readonly Subject[] {
  const methods = imported.hosts.flatMap(({ services }) => [
    ...methodsOf(services),
  ]);
  const plain = (path: string): string => path.replaceAll(/\{[^{}]*\}/gu, "{}");
  const all = methods.flatMap(({ request, response, route }) =>
    route.kind === "rest"
      ? [{ request, response, route, address: plain(route.path.text) }]
      : [],
  );
  // Only clients have several methods whose paths differ in names of parameters.
  const find = (verb: string, path: string, bases: readonly string[]) => {
    const ofVerb = all.filter(({ route }) => route.verb === verb);
    return (
      ofVerb.find(({ route }) =>
        bases.some((base) => route.path.text === base + path),
      ) ??
      ofVerb.find(({ address }) =>
        bases.some((base) => address === base + plain(path)),
      )
    );
  };
  const subjects: Subject[] = [];
  for (const written of places.children(places.at(root, "paths"))) {
    const item = places.resolve(written);
    for (const verb of ["get", "post", "put", "patch", "delete"]) {
      const used = places.at(item, verb);
      if (used === null || /[?#]/u.test(keyOf(written))) continue;
      const operation = places.resolve(used);
      const bases = [operation, item, root].flatMap((each) =>
        basesOf(each, places),
      );
      const path = keyOf(written);
      const found = find(verb.toUpperCase(), path, [...bases, ""]);
      if (found === undefined) missing.push(operation.pointer);
      else subjects.push(...bodiesOf(operation, places, found));
    }
  }
  return subjects;
}

/** Returns the paths of servers. */
function basesOf(holder: ComparedPlace, places: Places): readonly string[] {
  const base = membersOf(holder.value)["basePath"];
  const servers = places.children(places.at(holder, "servers"));
  const urls = servers.map(({ value }) => String(membersOf(value)["url"]));
  return [...urls, ...(typeof base === "string" ? [base] : [])].map((url) =>
    url.replace(/^[a-z]+:\/\/[^/]+/iu, "").replace(/\/$/u, ""),
  );
}

function bodiesOf(
  operation: ComparedPlace,
  places: Places,
  {
    request,
    response,
    route,
  }: Pick<Method, "request" | "response"> & {
    readonly route: Extract<Method["route"], { kind: "rest" }>;
  },
): readonly Subject[] {
  const subjects: Subject[] = [];
  const add = (
    place: ComparedPlace | null,
    use: "request" | "response",
    fields: readonly Field[],
    isWrapped: boolean,
  ): void => {
    if (place === null || fields.some((each) => usesFile(each))) return;
    // Nothing reads a body without fields.
    if (fields.length === 0) return;
    const plain = fields.map((each) => ({
      ...each,
      header: null,
      ...(isWrapped && { isOptional: false }),
    }));
    if (isWrapped ? plain.length === 1 : true) {
      subjects.push({ place, use, fields: plain, isWrapped });
    }
  };
  const { requestBody } = route;
  if (requestBody.kind !== "none" && requestBody.format === "json") {
    const isWhole = requestBody.kind === "field";
    const names = isWhole ? [requestBody.field] : requestBody.fields;
    const fields = request.fields.filter(
      ({ isExtra, jsonName }) => isExtra || names.includes(jsonName),
    );
    add(bodyOf(operation, places), "request", fields, isWhole);
  }
  for (const status of places.children(places.at(operation, "responses"))) {
    if (!/^2\d\d$/u.test(keyOf(status))) continue;
    const place = jsonSchemaOf(places.resolve(status), places);
    const number = Number(keyOf(status));
    const listed = route.statuses.find((each) => each.status === number);
    if (listed === undefined && route.status !== number) continue;
    const body = listed === undefined ? route.body : listed.body;
    if (listed !== undefined && body === null) continue;
    const fields = response.fields.filter(
      ({ jsonName }) => body === null || jsonName === body,
    );
    add(place, "response", fields, body !== null);
  }
  return subjects;
}

function usesFile({ type }: Field): boolean {
  return JSON.stringify(type).includes('"file"');
}

/** Returns the schema of the body of a request in JSON. */
function bodyOf(
  operation: ComparedPlace,
  places: Places,
): ComparedPlace | null {
  const body = places.at(operation, "requestBody");
  if (body !== null) return jsonSchemaOf(places.resolve(body), places);
  const parameters = places.children(places.at(operation, "parameters"));
  const old = parameters
    .map((each) => places.resolve(each))
    .find(({ value }) => membersOf(value)["in"] === "body");
  return old === undefined ? null : places.at(old, "schema");
}

function jsonSchemaOf(
  holder: ComparedPlace,
  places: Places,
): ComparedPlace | null {
  const media = places.children(places.at(holder, "content"));
  const json = media.find((each) =>
    /^(?:application\/(?:[^;]*\+)?json|\*\/\*)\s*(?:;|$)/u.test(keyOf(each)),
  );
  const schema = json && places.at(places.resolve(json), "schema");
  return schema ?? places.at(holder, "schema");
}

interface Verdicts {
  readonly places: Places;
  readonly notes: Notes;
  /** The names of all tags of unions. */
  readonly tags: ReadonlySet<string>;
  readonly failures: readonly Failure[];
  readonly validate: (value: unknown) => Judgement;
}

/** Returns null if a rule that applies to all imports is the reason. */
function explain(
  { place, use }: Subject,
  value: unknown,
  { places, notes, tags, failures, validate }: Verdicts,
): Disagreement | null {
  const isLost = failures.length === 0;
  // The contract reads the same without null where it counts as absent.
  const plain = withoutNulls(value, [place], use, places);
  const judgement = isLost ? validate(plain) : [];
  if (isLost && judgement.length === 0) return null;
  const faults = isLost
    ? judgement.map(({ instancePath, keyword, params }) => ({
        path: pathOf(instancePath, plain),
        keyword,
        missing: params["missingProperty"] as string | undefined,
        text: `${instancePath} ${keyword} ${JSON.stringify(params)}`,
      }))
    : failures.map(({ path, expected, got }) => ({
        path,
        keyword: null,
        missing: undefined,
        text: `${path.join("/")} expected ${expected}, got ${got}`,
      }));
  // A shared schema is for requests and responses, so ajv checks less.
  const isOneWay =
    use === null &&
    faults.some(({ missing, path }) => {
      const keys = missing === undefined ? path : [...path, missing];
      return keys.length > 0 && isOneWayAt(keys, place, places);
    });
  if (isOneWay || (use === null && value === null)) return null;
  // A file is no JSON, and a union requires its tag.
  const isKnown = failures.every(
    ({ path, expected }) =>
      expected === "a file" ||
      (tags.has(String(path.at(-1))) &&
        !isOfVariant(path, value, place, places)),
  );
  const isOther = failures.some(({ path }) =>
    isOfOneVariant(path, place, places),
  );
  if (!isLost && (isKnown || isOther)) return null;
  const note = findNote(notes, place, faults, places);
  return {
    place: place.file + place.pointer,
    value,
    acceptedBy: isLost ? "contract" : "document",
    faults: faults.map(({ text }) => text),
    note,
  };
}

function isOneWayAt(
  keys: readonly (string | number)[],
  place: ComparedPlace,
  places: Places,
): boolean {
  const found = keys.reduce<readonly ComparedPlace[]>(
    (schemas, key) => places.step(schemas, key),
    places.expand(place),
  );
  return found.some(({ value }) => {
    const { readOnly, writeOnly } = membersOf(value);
    return readOnly === true || writeOnly === true;
  });
}

/** Whether a tag is that of a schema that extends a base. */
function isOfVariant(
  path: readonly (string | number)[],
  value: unknown,
  place: ComparedPlace,
  places: Places,
): boolean {
  let parts: readonly ComparedPlace[] = [place];
  let held = value;
  for (const key of path.slice(0, -1)) {
    const schemas = parts.flatMap((each) => places.expand(each));
    parts = places.parts(schemas, key);
    held = Reflect.get(Object(held), key);
  }
  return parts.some((part) => {
    const { tag, variants = [] } = places.base(part) ?? {};
    const drawn: unknown = tag && Reflect.get(Object(held), tag);
    return (
      tag === path.at(-1) &&
      variants.some(({ tags }) => tags.some((each) => each === drawn))
    );
  });
}

/**
 * Whether only some variants of a union declare a member. An object is of the
 * first variant whose required members it has, although the member of another
 * one would be unknown and thus ignored.
 */
function isOfOneVariant(
  path: readonly (string | number)[],
  place: ComparedPlace,
  places: Places,
): boolean {
  let schemas = places.expand(place);
  for (const key of path) {
    const declares = (variant: ComparedPlace): boolean =>
      places.step(places.expand(variant), key).length > 0;
    const isSome = schemas.some((schema) =>
      ["oneOf", "anyOf"].some((list) => {
        const variants = places.children(places.at(schema, list));
        return variants.some(declares) && !variants.every(declares);
      }),
    );
    if (isSome) return true;
    schemas = places.step(schemas, key);
  }
  return false;
}

/** Converts a pointer into a value to its keys. */
function pathOf(pointer: string, value: unknown): readonly (string | number)[] {
  let current = value;
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((key) => {
      const isIndex = Array.isArray(current);
      current = Reflect.get(Object(current), key);
      return isIndex ? Number(key) : key;
    });
}

/** Returns the names of all tags of unions in a document. */
function findTags(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return [...tagsIn(value), ...Object.values(value).flatMap(findTags)];
}
