import type { Annotation } from "../../1-parse/ast.js";
import { pathParameters } from "../../ir/path-template.js";
import { findAnnotation } from "../notation/annotations.js";
import {
  hasStatuses,
  headerOwner,
  type HeaderPart,
  isHeaderName,
  parametersOf,
  responseHeaderOwner,
  validHeaders,
} from "../notation/rest-binding.js";
import { metadataValue } from "../notation/metadata.js";
import { findCredentials } from "../program/credentials.js";
import type { Program } from "../program/program.js";
import type { RestMethod } from "../program/rest-methods.js";
import type { NodeFinding } from "../report/finding.js";
import {
  type AddressFault,
  findFieldFault,
  findTextFault,
} from "./rest-fields.js";

/** Returns all problems with the headers of a request. */
export function findHeaderFaults(
  rest: RestMethod,
  program: Program,
): readonly NodeFinding[] {
  const { headers, path } = rest.binding;
  const elsewhere = [
    ...pathParameters(path).map((name) => [name, "in the path"] as const),
    ...parametersOf(rest.binding).flatMap((each) =>
      each.kind === "field" ? [[each.field, "in the query"] as const] : [],
    ),
  ];
  const credentials = findCredentials(program).map(({ syntax }) =>
    (metadataValue(syntax, "header") ?? "").toLowerCase(),
  );
  const annotation = findAnnotation(rest.method, "requestHeaders");
  return checkHeaders(annotation, headers, elsewhere, {
    ownerOf: (name) =>
      credentials.includes(name) ? "credentials" : headerOwner(name, rest.verb),
    faultOf: (field) => findFieldFault(field, "header", rest, program),
  });
}

/** Returns all problems with the headers of a response. */
export function findResponseHeaderFaults(
  rest: RestMethod,
  program: Program,
): readonly NodeFinding[] {
  const { binding, method, response } = rest;
  const annotation = findAnnotation(method, "responseHeaders");
  if (annotation === undefined) return [];
  if (method.output.isStream) {
    const message = `the outputs of \`${method.name.text}\` are the items of a stream, which follow the headers`;
    return [{ at: annotation, message, help: "remove `@responseHeaders`" }];
  }
  const faults = checkHeaders(annotation, binding.responseHeaders, [], {
    ownerOf: responseHeaderOwner,
    faultOf: (field) =>
      findFieldFault(
        field,
        "header",
        { method, request: response },
        program,
        "response",
      ),
  });
  const others = bodyOutputs(rest);
  if (faults.length > 0 || others.length === 0 || hasStatuses(binding)) {
    return faults;
  }
  const isBody =
    others.length === 1 && rest.body?.value?.text === others[0]?.jsonName;
  if (isBody) return [];
  const message = `\`${method.name.text}\` has an output that is neither a header nor the body`;
  const help = "make all other outputs one field, and name it with `@body`";
  return [{ at: annotation, message, help }];
}

/** Returns the outputs that are not in headers. */
export function bodyOutputs({
  binding,
  response,
}: RestMethod): RestMethod["response"] {
  const inHeaders = validHeaders(binding.responseHeaders).map(
    ({ field }) => field,
  );
  return response.filter(({ jsonName }) => !inHeaders.includes(jsonName));
}

/** What headers and their fields can be. */
interface HeaderRules {
  /** Returns what a lowercase name belongs to, or null. */
  readonly ownerOf: (name: string) => string | null;
  readonly faultOf: (field: string) => AddressFault | null;
}

function checkHeaders(
  annotation: Annotation | undefined,
  headers: readonly HeaderPart[],
  fields: readonly (readonly [field: string, place: string])[],
  { faultOf, ownerOf }: HeaderRules,
): readonly NodeFinding[] {
  if (annotation !== undefined && annotation.value === undefined) {
    return [{ at: annotation, ...malformed({ text: "" }) }];
  }
  const elsewhere = new Map(fields);
  const names = new Set<string>();
  return headers.flatMap((part): readonly NodeFinding[] => {
    const { header } = part;
    if (header === null) return [{ at: part, ...malformed(part) }];
    const name = header.name.toLowerCase();
    const isAgain = names.has(name);
    names.add(name);
    const help = "remove one of them";
    if (isAgain) {
      const message = `\`${header.name}\` is listed twice`;
      return [{ at: part, message, help }];
    }
    const owner = ownerOf(name);
    if (owner !== null) {
      const message = `the header \`${header.name}\` belongs to ${owner}`;
      return [{ at: part, message, help: "use another name" }];
    }
    const place = elsewhere.get(header.field);
    elsewhere.set(header.field, "in another header");
    if (place !== undefined) {
      const message = `\`${header.field}\` is also ${place}`;
      return [{ at: part, message, help }];
    }
    const fault = faultOf(header.field);
    return fault === null ? [] : [{ at: part, ...fault }];
  });
}

/** Returns why a field cannot be in a header of an error, or null. */
export function findErrorHeaderFault(
  name: string,
  field: Parameters<typeof findTextFault>[2],
  program: Program,
): AddressFault | null {
  if (!isHeaderName(name)) {
    return { message: `\`${name}\` is not the name of a header` };
  }
  const owner = responseHeaderOwner(name.toLowerCase());
  if (owner !== null) {
    const message = `the header \`${name}\` belongs to ${owner}`;
    return { message, help: "use another name" };
  }
  return findTextFault(field.syntax.name.text, "header", field, program);
}

function malformed({
  text,
}: Pick<HeaderPart, "text">): Pick<NodeFinding, "message" | "notes"> {
  return {
    message:
      text === ""
        ? "a header is empty"
        : `\`${text}\` is not a header with a field`,
    notes: [
      "a header is the name of a field (`language`), or a name with a field (`If-Match={revision}`)",
    ],
  };
}
