import { printDocument } from "../../../generator/1-parse/print.js";
import { loadDocuments } from "../../../generator/1-parse/load/load-documents.js";
import { checkContract } from "../../../generator/2-check/index.js";
import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";
import { LineIndex } from "../../../generator/source/line-index.js";
import type { Meta, Model, ModelField, ModelType } from "../model/model.js";
import type { NoteLevel, NoteLog } from "../notes/note.js";
import type { DocumentPart } from "../read/document-part.js";
import { dropUnused } from "./drop-unused.js";
import { mergeVariants } from "./merge-variants.js";
import { type LineOwner, printModel } from "./print-model.js";

/** Each round simplifies at least one declaration. */
const maxRounds = 50;

/**
 * Prints a model as formatted RIDL that has no errors. Where the checker finds
 * one, such as a union whose variants cannot be told apart, the declaration is
 * simplified, which is noted. `stem` is the name of the first file without
 * `.ridl`. Returns the texts by the names of their files, or null if errors
 * remain.
 */
export function printValidModel(
  model: Model,
  stem: string,
  notes: NoteLog,
): ReadonlyMap<string, string> | null {
  let current = dropUnused(model);
  for (let round = 0; round < maxRounds; round++) {
    const printed = printModel(current, stem).map((document) => ({
      ...document,
      lines: new LineIndex(document.text),
    }));
    const find = (name: string | undefined) =>
      printed.find(({ path }) => path === name);
    const reader = { read: (name: string) => find(name)?.text ?? null };
    const paths = printed.map(({ path }) => path);
    const documents = loadDocuments(paths, reader);
    const { diagnostics } = checkContract(paths, documents);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length === 0) {
      const formatted = paths.flatMap((path) => {
        const document = documents.get(path);
        return document
          ? [[path, printDocument(document.syntax)] as const]
          : [];
      });
      return new Map(formatted);
    }
    const simplifier = new Simplifier(notes, current);
    for (const { location, ...error } of errors) {
      const document = find(location?.source.path);
      const line = document?.lines.lineOf(location?.span.start ?? 0) ?? 0;
      simplifier.simplify(document?.owners[line - 1] ?? {}, error);
    }
    if (!simplifier.hasChanged) return null;
    current = dropUnused(simplifier.without(current));
  }
  return null;
}

const unionKeys: ReadonlySet<string> = new Set(["oneOf", "tag", "open"]);
/** Without these lines, a field is another part of a message. */
const placeKeys: ReadonlySet<string> = new Set(["json", "jsonName", "header"]);
const credentialKeys: ReadonlySet<string> = new Set([
  "header",
  "query",
  "cookie",
  "scheme",
  "error",
]);

class Simplifier {
  hasChanged = false;
  readonly #notes: NoteLog;
  readonly #types: readonly ModelType[];
  readonly #removed = new Set<unknown>();
  /** Each declaration is simplified once a round. */
  readonly #done = new Set<unknown>();

  constructor(notes: NoteLog, { types }: Pick<Model, "types">) {
    this.#notes = notes;
    this.#types = types;
  }

  simplify({ type, method, field, meta }: LineOwner, error: Diagnostic): void {
    const key = field === undefined ? (method ?? type) : undefined;
    if (key !== undefined && this.#done.has(key)) return;
    this.#done.add(key);
    if (method !== undefined) return this.#simplifyMethod(method, error);
    if (type === undefined) return;
    if (type.body.kind === "struct" && field !== undefined) {
      const { fields } = type.body;
      const found = fields[field];
      if (found === undefined || this.#done.has(found)) return;
      this.#done.add(found);
      this.#done.add(fields);
      const simple = this.#simplifyField(found, meta, error);
      const changed = fields.with(field, simple ?? found);
      this.#done.add(simple);
      type.body.fields = changed;
      if (simple === null) this.#removed.add(found);
      return;
    }
    const isAny =
      type.body.kind === "alias" &&
      type.body.type === "any" &&
      type.body.metadata.length === 0;
    if (isAny) return;
    const merged =
      error.code === "ambiguous-variants"
        ? mergeVariants(type.body, this.#types)
        : null;
    if (merged !== null) {
      type.body = merged;
      this.#note(
        "value",
        type.part,
        error,
        "one object has the fields of all variants",
      );
      return;
    }
    const body =
      type.body.kind === "alias" && meta !== undefined
        ? { ...type.body, metadata: without(type.body.metadata, meta) }
        : { kind: "alias" as const, type: "any", metadata: [] };
    type.body = body;
    this.#note(
      "value",
      type.part,
      error,
      meta ? "it is left out" : "any value is accepted",
    );
  }

  #simplifyField(
    field: ModelField,
    meta: Meta | undefined,
    error: Diagnostic,
  ): ModelField | null {
    const { part, metadata } = field;
    if (error.code === "infinite-struct" && !field.isOptional) {
      this.#note("value", part, error, "the field is optional");
      return { ...field, isOptional: true };
    }
    if (meta !== undefined && !placeKeys.has(meta.key)) {
      this.#note("value", part, error, "it is left out");
      return { ...field, metadata: without(metadata, meta) };
    }
    if (meta !== undefined || field.type === "any") {
      this.#note("wire", part, error, "the field is left out");
      return null;
    }
    this.#note("value", part, error, "any value is accepted");
    const places = metadata.filter(({ key }) => placeKeys.has(key));
    return { ...field, type: "any", metadata: places };
  }

  #simplifyMethod(
    method: NonNullable<LineOwner["method"]>,
    error: Diagnostic,
  ): void {
    if (error.code === "duplicate-route") {
      method.annotations = [...method.annotations, "@clientOnly"];
      this.#note("advice", method.part, error, "only clients have the method");
      return;
    }
    const isAddress = (text: string): boolean =>
      /^@(?:get|http|form|body|clientOnly|contentType|requestBody|requestHeaders|responseHeaders|responseStatus)\b/u.test(
        text,
      );
    if (method.annotations.some(isAddress)) {
      const hasStatus = method.annotations.some((text) =>
        /^@http:"\S+ \S+ 2\d\d/u.test(text),
      );
      method.annotations = method.annotations.filter(
        (text) => !isAddress(text),
      );
      const instead = "the method has webrpc's path";
      const whole = hasStatus ? `${instead}, and the status is 200` : instead;
      this.#note("wire", method.part, error, whole);
      return;
    }
    this.#removed.add(method);
    this.#note("wire", method.part, error, "the method is left out");
  }

  #note(
    level: NoteLevel,
    part: DocumentPart,
    error: Diagnostic,
    instead: string,
  ): void {
    this.hasChanged = true;
    this.#notes.add(level, part, error.message, instead);
  }

  /** Returns the model without removed methods and fields. */
  without(model: Model): Model {
    if (this.#removed.size === 0) return model;
    for (const { body } of model.types) {
      if (body.kind !== "struct") continue;
      body.fields = body.fields.filter((field) => !this.#removed.has(field));
    }
    const hosts = model.hosts.map((host) => {
      const services = host.services.map((service) => ({
        ...service,
        methods: service.methods.filter((method) => !this.#removed.has(method)),
      }));
      const left = services.filter(({ methods }) => methods.length > 0);
      return { ...host, services: left };
    });
    return { ...model, hosts };
  }
}

/** Removes a line, and those that have no meaning without it. */
function without(metadata: readonly Meta[], meta: Meta): readonly Meta[] {
  const hasTag = metadata.some(({ key }) => key === "tag");
  if (unionKeys.has(meta.key)) {
    // Without the tag, the JSON of the variants may tell them apart.
    return metadata.filter(({ key }) =>
      hasTag ? key !== "tag" && key !== "open" : !unionKeys.has(key),
    );
  }
  return credentialKeys.has(meta.key)
    ? metadata.filter(({ key }) => !credentialKeys.has(key))
    : metadata.filter((each) => each !== meta);
}
