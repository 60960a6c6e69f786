import { isRecord } from "../../values/predicates.js";
import { setOwn } from "../../values/set-own.js";
import type { Eventually } from "../model/eventually.js";
import type { ServerRequest } from "../model/exchange.js";
import type { Limits } from "../model/limits.js";
import { Refusal } from "../model/refusal.js";
import type {
  FormBody,
  RestRoute,
  ServerMethod,
  UploadFields,
} from "../model/server-method.js";
import { readBodyFile } from "./body-file.js";
import { type FormPair, readFormFields } from "./form-fields.js";
import { readFormPairs } from "./form-message.js";
import { readPairs } from "./query.js";
import {
  contentTypeOf,
  type MessageResult,
  noObject,
  parseMessage,
  toHandlerForm,
  unsupportedContentType,
} from "./request-message.js";
import { type Fields, RestFields } from "./rest-fields.js";

/** Reads the request messages of a REST method. */
export class RestReader {
  readonly #row: ServerMethod;
  readonly #route: RestRoute;
  readonly #limits: Limits;
  readonly #fields: RestFields;
  readonly #elsewhere: readonly string[];

  /** Input: `parameters` are the names in the path, in its order. */
  constructor(
    row: ServerMethod,
    route: RestRoute,
    parameters: readonly string[],
    limits: Limits,
  ) {
    this.#row = row;
    this.#route = route;
    this.#limits = limits;
    this.#fields = new RestFields(row, route, parameters);
    this.#elsewhere = this.#fields.names;
  }

  /**
   * Creates the request message from the path, the query, headers and the body.
   *
   * Input: `values` are those of the path, still percent-encoded, and `limits`
   * are those of the request.
   * Returns the message in the handler's form, or a refusal: `WebrpcBadRequest`
   * if the body is not JSON, or the method's validation error if a value is
   * invalid.
   * Errors: `WebrpcBadRoute` for invalid percent-encoding in the path, and for
   * values that are only dots. Any error from reading the body.
   */
  read(
    values: readonly string[],
    request: ServerRequest,
    limits: Limits,
  ): Eventually<MessageResult> {
    const row = this.#row;
    const bound = this.#fields.read(values, request, limits.body.maxBytes);
    if (bound instanceof Refusal) return bound;
    if (this.#route.requestBody === undefined) {
      return toHandlerForm(row, bound);
    }
    if (row.upload !== undefined) {
      const read = this.#readFiles(request, bound, row.upload, limits);
      if (read !== null) return read;
    }
    return request
      .text(limits.body, row.isExact === true)
      .then((text) => this.#withText(request, bound, text));
  }

  /** Reads a body with files. Returns null for a form without any parts. */
  #readFiles(
    request: ServerRequest,
    bound: Fields,
    upload: UploadFields,
    limits: Limits,
  ): Promise<MessageResult> | null {
    const { form, requestBody } = this.#route;
    if (form === undefined) {
      return readBodyFile(request, limits).then((file) =>
        this.#withMembers(
          bound,
          file === null ? {} : { [String(requestBody)]: file },
        ),
      );
    }
    // A form without parts can also be an empty body without a content type.
    if (request.header("content-type") === null) return null;
    const isKnown = (name: string): boolean =>
      form.extra !== undefined || Object.hasOwn(form.fields, name);
    return readFormPairs(request, upload, limits, isKnown).then((pairs) =>
      this.#withPairs(form, bound, pairs),
    );
  }

  #withText(
    request: ServerRequest,
    bound: Fields,
    text: string,
  ): MessageResult {
    const row = this.#row;
    const { form, requestBody } = this.#route;
    const contentType = request.header("content-type");
    if (contentType === null && text !== "") {
      return unsupportedContentType(contentType, contentTypeOf(row));
    }
    if (form !== undefined) {
      const pairs = readPairs("body", text);
      return pairs instanceof Refusal
        ? pairs
        : this.#withPairs(form, bound, pairs);
    }
    // A body without required fields may be absent.
    if (text === "") return this.#withMembers(bound, {});
    const parsed = parseMessage(row, "body", text, this.#limits.maxDepth);
    if (parsed instanceof Refusal) return parsed;
    const { message } = parsed;
    if (typeof requestBody === "string") {
      return this.#withMembers(bound, { [requestBody]: message });
    }
    return isRecord(message)
      ? this.#withMembers(bound, message)
      : noObject("body", message);
  }

  /** Adds the fields in a form to those in other parts of the request. */
  #withPairs(
    form: FormBody,
    bound: Fields,
    pairs: readonly FormPair[],
  ): MessageResult {
    const { requestBody } = this.#route;
    const { maxDepth } = this.#limits;
    const whole = typeof requestBody === "string" ? requestBody : null;
    const read = readFormFields(this.#row, form, whole, pairs, maxDepth);
    return read instanceof Refusal ? read : this.#withMembers(bound, read);
  }

  /**
   * Adds the members of a body. They cannot replace a field that is elsewhere.
   */
  #withMembers(bound: Fields, body: Record<string, unknown>): MessageResult {
    for (const name of this.#elsewhere) {
      // The body belongs to this request, and copying it would take longer.
      if (Object.hasOwn(bound, name)) setOwn(body, name, bound[name]);
      else if (Object.hasOwn(body, name)) Reflect.deleteProperty(body, name);
    }
    return toHandlerForm(this.#row, body);
  }
}
