import type { HostScope } from "../plan/file-scope.js";
import type { Imports } from "../plan/imports.js";
import type { MethodPlan, PagingPlan } from "../plan/plan.js";
import { callTypes, typeOf } from "../plan/type-text.js";
import { buildConstant } from "../text/build.js";
import { group, indent, line, type Doc } from "../text/format.js";
import {
  quoteAccess,
  quoteComment,
  quoteKey,
  quoteString,
} from "../text/quote.js";
import { genericOf, linesObjectOf, objectOf } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";

/** Emits the constant that describes how a method returns pages, if it does. */
export function emitPaging(
  scope: HostScope,
  plan: MethodPlan,
): readonly Structure[] {
  const { imports } = scope;
  const { method, paging } = plan;
  if (paging === null) return [];
  const { asked, constant, items } = paging;
  const [request, response] = callTypes(scope, plan);
  const types = [request, response, typeOf(imports, asked.type)];
  const item = items?.value.kind === "list" ? items.value.held : null;
  const name = quoteComment([`${method.service}.${method.name}`]).join("");
  const use = item === null ? "`pages`" : "`pages` and `items`";
  return [
    buildConstant(
      [`Describes the pages of \`${name}\` for ${use}.`],
      constant,
      item === null
        ? genericOf(imports.runtimeType("pages", "Paging"), types)
        : genericOf(imports.runtimeType("pages", "ListPaging"), [
            ...types,
            typeOf(imports, item),
          ]),
      linesObjectOf(pagingEntries(imports, paging)),
    ),
  ];
}

/** Prints the members of the runtime's `Paging`. */
function pagingEntries(
  imports: Imports,
  { answered, asked, holder, isNumbered, items, linked }: PagingPlan,
): readonly Doc[] {
  const page = asked.field.jsonName;
  const next = `response${quoteAccess(answered.field.jsonName)}`;
  const entry = page === "page" ? page : `${quoteKey(page)}: page`;
  const held = holder && `request${quoteAccess(holder.field.jsonName)}`;
  const access = quoteAccess(page);
  const optional = access.startsWith(".") ? "?" : "?.";
  const path = `${held ?? "request"}${holder?.field.isOptional ? optional : ""}${access}`;
  const changed =
    holder === null
      ? entry
      : [
          `${quoteKey(holder.field.jsonName)}: `,
          objectOf([`...${held}`, entry]),
        ];
  const list = items && `response${quoteAccess(items.field.jsonName)}`;
  return [
    ["pageOf: (request) =>", group(indent([line, path]))],
    ["at: (request, page) => (", objectOf(["...request", changed]), ")"],
    isNumbered
      ? `next: (response, asked) => ${imports.runtime("pages", "nextPage")}(${next}, asked)`
      : linked === null
        ? `next: (response) => ${next} || undefined`
        : `next: (response) => ${imports.runtime("pages", linked.isNumber ? "nextNumberInLinks" : "nextInLinks")}(${next}, ${quoteString(linked.parameter)})`,
    ...(list === null
      ? []
      : [["items: (response) =>", group(indent([line, list]))]]),
  ];
}
