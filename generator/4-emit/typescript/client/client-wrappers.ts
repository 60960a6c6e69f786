import type { Imports } from "../plan/imports.js";
import { statusesOf } from "../plan/method-entries.js";
import { headerFormOf } from "../plan/methods.js";
import type { FieldPlan, MethodPlan } from "../plan/plan.js";
import type { Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import { arrayOf, callOf, keyedOf, objectOf } from "../text/shapes.js";

/** Entry point of the functions that create methods. */
export const makers = "codegen/create-client";

/** Prints a method with the media type of its JSON, if it has one of its own. */
export function withMediaType(
  imports: Pick<Imports, "runtime">,
  { method: { route } }: MethodPlan,
  made: Doc,
): Doc {
  if (route.kind !== "rest" || route.requestBody.kind === "none") return made;
  const { mediaType } = route.requestBody;
  if (mediaType === null) return made;
  return callOf(
    ["/* @__PURE__ */ ", imports.runtime(makers, "sendAs")],
    [quoteString(mediaType), made],
  );
}

/** Prints a method with several statuses of a success, if it has them. */
export function withStatuses(
  imports: Pick<Imports, "runtime">,
  { method: { response, route } }: MethodPlan,
  made: Doc,
): Doc {
  // Without outputs, the status and the body are ignored.
  const isPlain =
    route.kind !== "rest" ||
    route.statuses.length === 0 ||
    response.fields.length === route.responseHeaders.length;
  if (isPlain) return made;
  const { statuses, statusOutput } = route;
  const field = statusOutput === null ? [] : [quoteString(statusOutput)];
  return callOf(
    ["/* @__PURE__ */ ", imports.runtime(makers, "readStatuses")],
    [made, statusesOf(statuses), ...field],
  );
}

/** Prints a method whose outputs are in headers, if some are. */
export function withResponseHeaders(
  imports: Pick<Imports, "runtime">,
  { method: { route }, response }: MethodPlan,
  made: Doc,
): Doc {
  if (route.kind !== "rest" || route.responseHeaders.length === 0) return made;
  const entries = route.responseHeaders.flatMap(({ field: key, name }) => {
    const found = response.object.fields.find(
      ({ field }) => field.jsonName === key,
    );
    // `flatMap` would flatten the printed entry itself.
    return found === undefined ? [] : [headerEntry(name, found)];
  });
  return callOf(
    ["/* @__PURE__ */ ", imports.runtime(makers, "readHeaders")],
    [made, objectOf(entries)],
  );
}

/** Prints how a field is written in a header. */
export function headerEntry(name: string, { field, type }: FieldPlan): Doc {
  const form = headerFormOf(type);
  const isFilled = form.endsWith("s") && !field.isOptional;
  const parts = [
    quoteString(field.jsonName),
    ...(form === "text" ? [] : [quoteString(form)]),
    ...(isFilled ? ["[]"] : []),
  ];
  return keyedOf(name.toLowerCase(), (key) => [`${key}: `, arrayOf(parts)]);
}
