import { noteKeywords } from "../notes/note-keywords.js";
import type { DocumentPart } from "../read/document-part.js";
import { toComment } from "../model/comments.js";
import type { ModelError, ModelService } from "../model/model.js";
import { NameScope, toTypeName } from "../model/names.js";
import { prepareErrorBody } from "./error-bodies.js";
import { ErrorHeaders } from "./error-headers.js";
import { chooseContent } from "./media-types.js";
import { isError } from "./responses.js";
import type { Types } from "./types/types.js";

/** An error of a method, and what its description adds. */
export interface MappedError {
  readonly name: string;
  readonly docs: readonly string[];
}

/** What has a struct as its body. */
interface Uses {
  /** The names of errors. */
  readonly names: string[];
  /** The media type of each response. */
  readonly mediaTypes: string[];
  readonly part: DocumentPart;
}

/** A response for all errors of an operation that have no other. */
interface OtherErrors {
  readonly operation: DocumentPart;
  readonly written: DocumentPart;
  readonly response: DocumentPart;
  /** The struct that is the body. */
  readonly struct: string;
}

/** A longer description is a comment instead of the message. */
const maxMessage = 70;

/** Collects the errors of all operations, and the structs of their data. */
export class ErrorMapper {
  readonly errors: ModelError[] = [];
  readonly #types: Types;
  readonly #headers: ErrorHeaders;
  readonly #names = new NameScope();
  readonly #codes = new Set<number>();
  readonly #known = new Map<string, ModelError>();
  /** The uses of each struct that is the body of an error. */
  readonly #data = new Map<string, Uses>();
  readonly #others: OtherErrors[] = [];
  /** The first response with an error. */
  #first: DocumentPart | null = null;

  constructor(types: Types) {
    this.#types = types;
    this.#headers = new ErrorHeaders(types);
  }

  /** Maps the failures among the responses of an operation. */
  map(operation: DocumentPart, hint: string): readonly MappedError[] {
    const all = operation.get("responses")?.entries() ?? [];
    const isOnly = !all.some(({ key }) => /^2/u.test(key));
    return all.flatMap((response) => {
      const { key } = response;
      if (isError(response, this.#types)) return this.#mapError(response);
      const isOther = /^[45]xx$/iu.test(key) || (key === "default" && !isOnly);
      if (isOther) this.#mapOther(response, operation, hint);
      return [];
    });
  }

  #mapOther(
    written: DocumentPart,
    operation: DocumentPart,
    hint: string,
  ): void {
    const response = this.#types.library.resolve(written);
    const media = response && this.#jsonOf(response);
    const schema = media?.get("schema") ?? null;
    const struct = schema && this.#dataOf(schema, `${hint}Failure`);
    if (response === null || !media || struct === null) return;
    this.#usesOf(struct, media);
    this.#headers.add(response, struct, struct);
    this.#others.push({ operation, written, response, struct });
  }

  #mapError(written: DocumentPart): readonly MappedError[] {
    const { notes, library } = this.#types;
    const response = library.resolve(written);
    if (response === null) return [];
    noteKeywords(response, "response", notes);
    this.#first ??= response;
    const status = Number(written.key);
    const phrase = phrases[status] ?? (status < 500 ? "Failed" : "ServerError");
    const isShared =
      /\/responses\/[^/]+$/u.test(response.pointer) &&
      response.id !== written.id;
    const isNumber = /^\d+$/u.test(response.key);
    const name =
      isShared && !isNumber ? toTypeName(response.key, "Error") : phrase;
    const media = this.#jsonOf(response);
    const schema = media?.get("schema") ?? null;
    const data = schema && this.#dataOf(schema, `${name}Body`);
    const uses = data && media ? this.#usesOf(data, media) : null;
    const key = `${status} ${data ?? ""} ${isShared ? response.id : ""}`;
    const docs = toComment(response.textOf("description"));
    const text = docs.join(" ").replace(/\.$/u, "");
    const known = this.#known.get(key);
    const error = known ?? this.#declare(name, status, docs);
    this.#known.set(key, error);
    this.#headers.add(response, data ?? error, error.name);
    if (known === undefined) uses?.names.push(error.name);
    const isSaid = [error.message, error.docs.join(" "), phrase, ""].some(
      (each) => lettersOf(each) === lettersOf(text),
    );
    const line = `${status} ${error.name}: ${docs.join(" ")}`;
    return [{ name: error.name, docs: isSaid ? [] : toComment(line) }];
  }

  /** Returns the JSON content of a response. */
  #jsonOf(response: DocumentPart): DocumentPart | null {
    const chosen = chooseContent(response.get("content"), this.#types);
    if (chosen === null) return null;
    if (chosen.isJson) return chosen.media;
    const message = `RIDL has no errors of type \`${chosen.media.key}\``;
    this.#types.notes.add(
      "wire",
      chosen.media,
      message,
      "the error has no data",
    );
    return null;
  }

  /** Returns the struct of an error's body, or null for other types. */
  #dataOf(schema: DocumentPart, hint: string): string | null {
    const { type } = this.#types.map(schema, hint);
    if (this.#types.structOf(type) !== null) return type;
    const whole = this.#types.wholeOf(type);
    const message = "the data of an error must be a struct in RIDL";
    const instead =
      whole === null
        ? "the error has no data"
        : "it has the fields that all variants have";
    this.#types.notes.add("wire", schema, message, instead);
    return whole;
  }

  /** Counts a response with a struct as its body. */
  #usesOf(struct: string, media: DocumentPart): Uses {
    const [key = ""] = media.key.toLowerCase().split(";");
    const uses = this.#data.get(struct) ?? {
      names: [],
      mediaTypes: [],
      part: media,
    };
    uses.mediaTypes.push(/\bjson$/u.test(key.trim()) ? key.trim() : "");
    this.#data.set(struct, uses);
    return uses;
  }

  /** Declares an error, whose name and code are unique. */
  #declare(name: string, status: number, docs: readonly string[]): ModelError {
    const plain = /^webrpc/iu.test(name) ? `Api${name}` : name;
    let code = 1000 + status;
    while (this.#codes.has(code)) code += 1000;
    this.#codes.add(code);
    const text = docs.join(" ").trim().replace(/\.$/u, "");
    const isMessage = text !== "" && text.length <= maxMessage;
    const phrase = phrases[status] ?? name;
    const error: ModelError = {
      name: this.#names.take(plain),
      code,
      status,
      message: isMessage ? text : phrase.replace(/(?<=[a-z])(?=[A-Z])/gu, " "),
      docs: isMessage ? [] : docs,
    };
    this.errors.push(error);
    return error;
  }

  /** Returns the error of a missing credential. */
  unauthorized(): string {
    const known = this.errors.find(({ status }) => status === 401);
    return (known ?? this.#declare("Unauthorized", 401, [])).name;
  }

  /** Declares the body of most errors, and the data of the others. */
  declareData(services: readonly ModelService[]): void {
    if (this.#data.size === 0 && this.#first) this.#declareUntyped(this.#first);
    const [most] = [...this.#data].sort(
      ([, a], [, b]) => b.mediaTypes.length - a.mediaTypes.length,
    );
    const body = most && this.#types.structOf(most[0]);
    for (const error of this.#headers.bare()) {
      if (most !== undefined) this.#headers.move(error, most[0]);
      else this.#declareHeaders(error);
    }
    if (most !== undefined && body) {
      const [struct, { mediaTypes, part }] = most;
      const value = mostFrequent(mediaTypes) || "application/json";
      const metadata = [{ key: "errorBody", value }];
      prepareErrorBody(body, this.#types);
      const type = this.#headers.addTo(struct, services);
      this.#types.declareAlias(part, "ErrorBody", { type, metadata });
    }
    for (const [struct, { names, part }] of this.#data) {
      if (struct === most?.[0] || names.length === 0) continue;
      const [only = "", ...others] = names;
      const hint = others.length === 0 ? `${only}Data` : `${struct}Data`;
      const value = names.join(" | ");
      const metadata = [{ key: "dataOf", value }];
      const type = this.#headers.addTo(struct, services);
      this.#types.declareAlias(part, hint, { type, metadata });
    }
    const others = this.#others.filter(({ struct }) => struct !== most?.[0]);
    for (const struct of new Set(others.map((each) => each.struct))) {
      const same = others.filter((each) => each.struct === struct);
      this.#declareOther(same, services);
    }
  }

  /**
   * Declares a body that any JSON object fits, without which clients would expect
   * the envelope, and take no notice of the status.
   */
  #declareUntyped(part: DocumentPart): void {
    const rest = { isOptional: false, docs: [], part };
    const message = {
      ...rest,
      name: "message",
      wire: "message",
      type: "string",
      metadata: [],
      isOptional: true,
    };
    const members = {
      ...rest,
      name: "members",
      wire: "members",
      type: "map<string,any>",
      metadata: [{ key: "extra", value: "true" }],
    };
    const all = [message, members];
    const struct = this.#types.declareStruct(part, "UntypedError", all);
    this.#data.set(struct, { names: [], mediaTypes: [], part });
    const note = "the errors have no type";
    this.#types.notes.add(
      "advice",
      part,
      note,
      "their status tells them apart",
    );
  }

  /** Declares an error with any status, for the operations with its struct. */
  #declareOther(
    all: readonly OtherErrors[],
    services: readonly ModelService[],
  ): void {
    const [first] = all;
    if (first === undefined) return;
    const { response, struct, written } = first;
    const name = struct.replace(/(?:Body|Error|Failure|Response)+$/u, "");
    const status = written.key.startsWith("4") ? 400 : 500;
    const docs = toComment(response.textOf("description"));
    const error = this.#declare(`${name}Failed`, status, docs);
    const operations = new Set(all.map(({ operation }) => operation.id));
    for (const service of services) {
      service.methods = service.methods.map((method) =>
        operations.has(method.part.id)
          ? { ...method, errors: [...method.errors, error.name] }
          : method,
      );
    }
    const metadata = [
      { key: "dataOf", value: error.name },
      { key: "anyStatus", value: "true" },
    ];
    const type = this.#headers.addTo(struct, services);
    const hint = `${error.name}Data`;
    this.#types.declareAlias(response, hint, { type, metadata });
  }

  /** Declares the headers of an error as its data. */
  #declareHeaders(error: ModelError): void {
    const type = this.#headers.declare(error);
    const part = type && this.#types.find(type)?.part;
    if (!part) return;
    const metadata = [{ key: "dataOf", value: error.name }];
    this.#types.declareAlias(part, `${error.name}Data`, { type, metadata });
  }
}

function mostFrequent(texts: readonly string[]): string {
  const counted = [...new Set(texts)].map((text) => ({
    text,
    count: texts.filter((each) => each === text).length,
  }));
  return counted.sort((a, b) => b.count - a.count)[0]?.text ?? "";
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

const phrases: Readonly<Record<number, string>> = {
  300: "MultipleChoices",
  301: "MovedPermanently",
  302: "Found",
  303: "SeeOther",
  307: "TemporaryRedirect",
  308: "PermanentRedirect",
  400: "BadRequest",
  401: "Unauthorized",
  402: "PaymentRequired",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  408: "RequestTimeout",
  409: "Conflict",
  410: "Gone",
  411: "LengthRequired",
  412: "PreconditionFailed",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  422: "UnprocessableEntity",
  423: "Locked",
  424: "FailedDependency",
  425: "TooEarly",
  426: "UpgradeRequired",
  428: "PreconditionRequired",
  429: "TooManyRequests",
  451: "UnavailableForLegalReasons",
  500: "InternalServerError",
  501: "NotImplemented",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};
