import { setOwn } from "../../values/set-own.js";
import type { ServerRequest } from "../model/exchange.js";
import type { RequestLimits } from "../model/body-pace.js";
import { Refusal } from "../model/refusal.js";
import type {
  CreateReader,
  MessageResult,
  RestRoute,
  ServerMethod,
} from "../model/server-method.js";
import {
  contentTypeOf,
  toHandlerForm,
  unsupportedContentType,
} from "./request-message.js";
import { type Fields, RestFields } from "./rest-fields.js";

/** A REST method whose requests are read. */
export interface RestMethod {
  readonly row: ServerMethod;
  readonly route: RestRoute;
  /**
   * Adds the members of a body to the fields in other parts of the request, and
   * returns the message.
   */
  readonly withMembers: (bound: Fields, body: Fields) => MessageResult;
}

/** Reads a body. Input: `bound` are the fields in other parts of the request. */
export type ReadBody = (
  request: ServerRequest,
  bound: Fields,
  limits: RequestLimits,
) => Promise<MessageResult>;

/**
 * Returns a function that creates the request message of a REST method from the
 * path, the query, headers and the body.
 *
 * The function returns the message in the handler's form, or a refusal:
 * `WebrpcBadRequest` if the body cannot be read, or the method's validation error
 * if a value is invalid. Errors: `WebrpcBadRoute` for invalid percent-encoding in
 * the path, and for values that are only dots. Any error from reading the body.
 */
export function restReader(
  createBody: (method: RestMethod) => ReadBody,
): CreateReader {
  return (row, route, parameters) => {
    const fields = new RestFields(row, route, parameters);
    const elsewhere = fields.names;
    const withMembers = (bound: Fields, body: Fields): MessageResult => {
      // Members cannot replace a field that is elsewhere.
      for (const name of elsewhere) {
        // The body belongs to this request, and copying it would take longer.
        if (Object.hasOwn(bound, name)) setOwn(body, name, bound[name]);
        else if (Object.hasOwn(body, name)) Reflect.deleteProperty(body, name);
      }
      return toHandlerForm(row, body);
    };
    const readBody = createBody({ row, route, withMembers });
    return (values, request, limits) => {
      const bound = fields.read(values, request, limits.body.maxBytes);
      if (bound instanceof Refusal) return bound;
      return route.requestBody === undefined
        ? toHandlerForm(row, bound)
        : readBody(request, bound, limits);
    };
  };
}

/**
 * Returns a function that reads the text of a body, which must have a content type
 * unless it is empty.
 */
export function textBody(
  row: ServerMethod,
  read: (text: string, bound: Fields, limits: RequestLimits) => MessageResult,
): ReadBody {
  return (request, bound, limits) =>
    request.text(limits.body, row.isExact === true).then((text) => {
      const contentType = request.header("content-type");
      return contentType === null && text !== ""
        ? unsupportedContentType(contentType, contentTypeOf(row))
        : read(text, bound, limits);
    });
}
