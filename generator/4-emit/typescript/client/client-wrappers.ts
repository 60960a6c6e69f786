import type { Imports } from "../plan/imports.js";
import { statusesOf } from "../plan/method-entries.js";
import type { HostScope } from "../plan/file-scope.js";
import type { MethodPlan } from "../plan/plan.js";
import { type ContractValues, valuesOf } from "../../../values/value.js";
import {
  type FieldSlot,
  foldResponse,
  skip,
  textFormOf,
} from "../../../http/slots.js";
import type { Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import { arrayOf, callOf, withKey, objectOf } from "../text/shapes.js";

/** Entry point of the functions that create methods. */
export const makers = "codegen/create-client";

/** Prints a method with the media type of its JSON, if it has one of its own. */
export function withMediaType(
  imports: Pick<Imports, "runtime">,
  { wire: { request } }: MethodPlan,
  made: Doc,
): Doc {
  const { statedMediaType } = request.body;
  if (statedMediaType === null) return made;
  return callOf(
    ["/* @__PURE__ */ ", imports.runtime(makers, "sendAs")],
    [quoteString(statedMediaType), made],
  );
}

/** Prints a method with several statuses of a success, if it has them. */
export function withStatuses(
  imports: Pick<Imports, "runtime">,
  { wire: { response } }: MethodPlan,
  made: Doc,
): Doc {
  const { byStatus, isIgnored, status } = response;
  if (byStatus.length === 0 || isIgnored) return made;
  const field = status === null ? [] : [quoteString(status.jsonName)];
  return callOf(
    ["/* @__PURE__ */ ", imports.runtime(makers, "readStatuses")],
    [made, statusesOf(byStatus), ...field],
  );
}

/** Prints a method whose outputs are in headers, if some are. */
export function withResponseHeaders(
  { imports, plan: { contract } }: Pick<HostScope, "imports" | "plan">,
  { wire: { response } }: MethodPlan,
  made: Doc,
): Doc {
  const values = valuesOf(contract);
  const entries = foldResponse<Doc>(response, {
    status: skip,
    header: (slot) => [headerEntry(values, slot)],
    member: skip,
    whole: skip,
  });
  if (entries.length === 0) return made;
  return callOf(
    ["/* @__PURE__ */ ", imports.runtime(makers, "readHeaders")],
    [made, objectOf(entries)],
  );
}

/** Prints how a field is written in a header. */
export function headerEntry(
  values: ContractValues,
  { absent, field, name }: FieldSlot,
): Doc {
  const { isList, writing } = textFormOf(values, field);
  const form = isList ? `${writing}s` : writing;
  const parts = [
    quoteString(field.jsonName),
    ...(form === "text" ? [] : [quoteString(form)]),
    ...(isList && absent === "empty" ? ["[]"] : []),
  ];
  return withKey(name.toLowerCase(), (key) => [`${key}: `, arrayOf(parts)]);
}
