import { isString } from "../../values/predicates.js";
import { setOwn } from "../../values/set-own.js";
import { type Failure, printFailures } from "../../values/validation.js";
import type { ServerRequest } from "../model/exchange.js";
import { decodeSegment } from "../model/parameters.js";
import { Refusal } from "../model/refusal.js";
import type { RestRoute, ServerMethod } from "../model/server-method.js";
import { bodyTooLarge } from "./body.js";
import {
  notUtf8,
  type Pair,
  readQuery,
  readScalar,
  severalValues,
} from "./query.js";

/** Fields of a request by name, as their JSON. */
export type Fields = Record<string, unknown>;

/** A field in the path, the query or a header. */
interface FieldSlot {
  /** The name there, which is not always that of the field. */
  readonly name: string;
  readonly field: string;
  readonly isList: boolean;
  /** Whether one pair of the query contains all items of a list. */
  readonly isJoined: boolean;
  /** Whether values are numbers or booleans. */
  readonly isJson: boolean;
  /** Whether an absent list is an empty one. */
  readonly isNeverAbsent: boolean;
}

/**
 * Reads the fields of a REST method in the path, the query and headers. Prepares
 * what does not depend on a request.
 */
export class RestFields {
  readonly #row: ServerMethod;
  readonly #path: readonly FieldSlot[];
  readonly #headers: readonly FieldSlot[];
  readonly #query: readonly FieldSlot[];
  readonly #queryIndexes: ReadonlyMap<string, number>;

  /** Input: `parameters` are the names in the path, in its order. */
  constructor(
    row: ServerMethod,
    route: RestRoute,
    parameters: readonly string[],
  ) {
    const toPlace = ([name, field]: readonly [string, string]): FieldSlot => ({
      name,
      field,
      isList: route.lists?.includes(field) === true,
      isJoined: route.joined?.includes(name) === true,
      isJson: route.json?.includes(field) === true,
      isNeverAbsent: route.emptyLists?.includes(field) === true,
    });
    this.#row = row;
    this.#path = parameters.map((name) => toPlace([name, name]));
    this.#headers = Object.entries(route.headers ?? {}).map(toPlace);
    this.#query = Object.entries(route.query ?? {}).map(toPlace);
    this.#queryIndexes = new Map(this.#query.map(({ name }, at) => [name, at]));
  }

  /** The names of the fields. */
  get names(): readonly string[] {
    const places = [this.#path, this.#headers, this.#query];
    return places.flatMap((each) => each.map(({ field }) => field));
  }

  /**
   * Returns the fields of a request, or the refusal of its query.
   *
   * Input: `values` are those of the path, still percent-encoded.
   * Errors: `WebrpcBadRoute` for invalid percent-encoding in the path, and for
   * values that are only dots, and `WebrpcBadRequest` for a target with more than
   * `maxBytes` characters.
   */
  read(
    values: readonly string[],
    request: ServerRequest,
    maxBytes: number,
  ): Fields | Refusal {
    const { target } = request;
    const fields: Fields = {};
    this.#path.forEach((place, index) => {
      const value = decodeSegment(values[index] ?? "");
      // Decode the value before splitting it, because many clients also encode
      // commas.
      const texts = place.isList ? value.split(",") : value;
      setOwn(fields, place.field, this.#toJson(place, texts));
    });
    if (this.#headers.length > 0) this.#addHeaders(request, fields);
    if (this.#query.length === 0) return fields;
    if (target.length > maxBytes) throw bodyTooLarge(maxBytes);
    const pairs = readQuery(target);
    if (pairs instanceof Refusal) return pairs;
    const failures = this.#addQuery(pairs, fields);
    if (failures.length === 0) return fields;
    const { validationError } = this.#row;
    return new Refusal(validationError, printFailures(failures), failures);
  }

  #addHeaders(request: ServerRequest, fields: Fields): void {
    for (const place of this.#headers) {
      const { field, isList, isNeverAbsent, name } = place;
      const text = request.header(name)?.trim() ?? null;
      if (isList && (text === null || text === "")) {
        if (text === "" || isNeverAbsent) setOwn(fields, field, []);
      } else if (text !== null) {
        const texts = isList
          ? text.split(",").map((item) => item.trim())
          : text;
        setOwn(fields, field, this.#toJson(place, texts));
      }
    }
  }

  /** Adds the fields in a query, and returns the failures of pairs. */
  #addQuery(pairs: readonly Pair[], fields: Fields): readonly Failure[] {
    const given: (string | null)[][] = this.#query.map(() => []);
    for (const [name, value] of pairs) {
      const index = name === null ? undefined : this.#queryIndexes.get(name);
      if (index !== undefined) given[index]?.push(value);
    }
    const failures: Failure[] = [];
    this.#query.forEach((place, index) => {
      const texts = given[index] ?? [];
      if (texts.length > 0) {
        const failure = this.#addTexts(place, texts, fields);
        if (failure !== null) failures.push(failure);
      } else if (place.isNeverAbsent) setOwn(fields, place.field, []);
    });
    return failures;
  }

  /** Adds a field that is at least once in the query. */
  #addTexts(
    place: FieldSlot,
    found: readonly (string | null)[],
    fields: Fields,
  ): Failure | null {
    const { field, isJoined, isList } = place;
    if (!found.every(isString)) {
      return { path: [field], ...notUtf8 };
    }
    const texts = isJoined ? found.flatMap((text) => text.split(",")) : found;
    if (!isList && texts.length > 1) {
      return { path: [field], ...severalValues(texts.length) };
    }
    const value = isList ? texts : (texts[0] ?? "");
    setOwn(fields, field, this.#toJson(place, value));
    return null;
  }

  /** Converts the text of a field, or of the items of a list, to its JSON. */
  #toJson({ isJson }: FieldSlot, texts: string | readonly string[]): unknown {
    if (!isJson) return texts;
    const { isExact } = this.#row;
    return typeof texts === "string"
      ? readScalar(texts, isExact)
      : texts.map((text) => readScalar(text, isExact));
  }
}
