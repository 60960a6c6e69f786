import { Refusal } from "../server/model/refusal.js";
import type {
  CreateReader,
  FormBody,
  MessageResult,
  ReadRequest,
  ServerMethod,
} from "../server/model/server-method.js";
import { readBodyFile } from "../server/requests/body-file.js";
import {
  type FormPair,
  readFormFields,
} from "../server/requests/form-fields.js";
import {
  readFormPairs,
  readMessageParts,
} from "../server/requests/form-message.js";
import { readPairs } from "../server/requests/query.js";
import {
  noObject,
  parseMessage,
  toHandlerForm,
} from "../server/requests/request-message.js";
import type { Fields } from "../server/requests/rest-fields.js";
import {
  type ReadBody,
  type RestMethod,
  restReader,
  textBody,
} from "../server/requests/rest-message.js";
import { isRecord } from "../values/predicates.js";

/** Reads the requests of a REST method whose body is JSON, or that has none. */
export const readRest: CreateReader = (row, route, parameters) =>
  restReader(jsonBody)(row, route, parameters);

function jsonBody({ route, row, withMembers }: RestMethod): ReadBody {
  const { requestBody } = route;
  return textBody(row, (text, bound, { maxDepth }) => {
    // A body without required fields may be absent.
    if (text === "") return withMembers(bound, {});
    const parsed = parseMessage(row, "body", text, maxDepth);
    if (parsed instanceof Refusal) return parsed;
    const { message } = parsed;
    if (typeof requestBody === "string") {
      return withMembers(bound, { [requestBody]: message });
    }
    return isRecord(message)
      ? withMembers(bound, message)
      : noObject("body", message);
  });
}

/** Reads the requests of a REST method whose body is a file. */
export const readFile: CreateReader = (row, route, parameters) =>
  restReader(({ withMembers }) => async (request, bound, limits) => {
    const file = await readBodyFile(request, limits);
    const name = String(route.requestBody);
    return withMembers(bound, file === null ? {} : { [name]: file });
  })(row, route, parameters);

/** Reads the requests of a REST method whose body is a form. */
export function readForm(form: FormBody): CreateReader {
  return restReader((method) => formBody(form, method));
}

/** Reads the requests of a REST method whose body is a form with files. */
export function readParts(form: FormBody): CreateReader {
  const isKnown = (name: string): boolean =>
    form.extra !== undefined || Object.hasOwn(form.fields, name);
  return restReader((method) => {
    const { upload = {} } = method.row;
    const readText = formBody(form, method);
    return (request, bound, limits) =>
      // A form without parts can also be an empty body without a content type.
      request.header("content-type") === null
        ? readText(request, bound, limits)
        : readFormPairs(request, upload, limits, isKnown).then((pairs) =>
            withPairs(form, method, pairs, bound, limits.maxDepth),
          );
  });
}

function formBody(form: FormBody, method: RestMethod): ReadBody {
  return textBody(method.row, (text, bound, { maxDepth }) => {
    const pairs = readPairs("body", text);
    return pairs instanceof Refusal
      ? pairs
      : withPairs(form, method, pairs, bound, maxDepth);
  });
}

/** Adds the fields in a form to those in other parts of the request. */
function withPairs(
  form: FormBody,
  { route: { requestBody }, row, withMembers }: RestMethod,
  pairs: readonly FormPair[],
  bound: Fields,
  maxDepth: number,
): MessageResult {
  const whole = typeof requestBody === "string" ? requestBody : null;
  const read = readFormFields(row, form, whole, pairs, maxDepth);
  return read instanceof Refusal ? read : withMembers(bound, read);
}

/**
 * Reads the requests of an RPC method with files. Errors: any error from reading
 * the form.
 */
export function readUpload(row: ServerMethod): ReadRequest {
  const { upload = {} } = row;
  const { fileLists = [], files: names = [] } = upload;
  const all = [...names, ...fileLists];
  return async (_values, request, limits) => {
    const { files, json } = await readMessageParts(request, upload, limits);
    const place = "part json";
    const parsed = parseMessage(row, place, json, limits.maxDepth);
    if (parsed instanceof Refusal) return parsed;
    const { message } = parsed;
    // webrpc clients can send null if all fields are files.
    if (!isRecord(message) && message !== null) return noObject(place, message);
    const others = Object.entries(message ?? {}).filter(
      ([name]) => !all.includes(name),
    );
    return toHandlerForm(row, { ...Object.fromEntries(others), ...files });
  };
}
