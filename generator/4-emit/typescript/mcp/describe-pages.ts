import { quoteCode } from "../../json-schema/describe.js";
import type { PagingPlan } from "../plan/plan.js";

/** Tells agents how to get the next page. Returns "" if there are no pages. */
export function describePages(paging: PagingPlan | null): string {
  if (paging === null) return "";
  const { answered, asked, holder, isNumbered, linked } = paging;
  const next = answered.field.jsonName;
  const name = asked.field.jsonName;
  const path = quoteCode(holder ? `${holder.field.jsonName}.${name}` : name);
  if (linked !== null)
    return `Returns one page. If ${quoteCode(next)} of the result has a URL with \`rel="next"\`, call it again with ${quoteCode(linked.parameter)} of this URL's query as ${path} and the same other arguments.`;
  return isNumbered
    ? `Returns one page. If ${quoteCode(`${next}.more`)} of the result is true, call it again with the next number as ${quoteCode(`${name}.page`)} and the same other arguments.`
    : `Returns one page. If the result has ${quoteCode(next)}, call it again with this value as ${path} and the same other arguments.`;
}
