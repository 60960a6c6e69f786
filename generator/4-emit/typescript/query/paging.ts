import type { FieldPlan, MethodPlan, StructPlan } from "../plan/plan.js";

/**
 * How a method answers a page at a time: request and response have a field of the
 * same struct with the number of a page and whether there is `more`, or what the
 * response has as `nextCursor` is what the next request has as `cursor`.
 */
export interface Paging {
  /** By the number of the page, else by a token. */
  readonly isNumbered: boolean;
  /** The field of the request. */
  readonly asked: FieldPlan;
  /** The field of the response. */
  readonly answered: FieldPlan;
}

/** How a method answers page by page; null if it does not. */
export function pagingOf({ request, response }: MethodPlan): Paging | null {
  const byName = new Map(
    response.object.fields.map((field) => [field.field.jsonName, field]),
  );
  for (const asked of request.object.fields) {
    const { jsonName } = asked.field;
    // Other names cannot stand behind a dot.
    if (asked.field.isNullable || !/^[A-Za-z]\w*$/.test(jsonName)) continue;
    const same = byName.get(jsonName);
    if (same !== undefined && isNumberedPage(asked, same))
      return { isNumbered: true, asked, answered: same };
    const next = byName.get(
      `next${jsonName[0]?.toUpperCase()}${jsonName.slice(1)}`,
    );
    if (next !== undefined && isToken(asked) && isToken(next))
      return { isNumbered: false, asked, answered: next };
  }
  return null;
}

function isNumberedPage(asked: FieldPlan, answered: FieldPlan): boolean {
  return (
    asked.value.kind === "struct" &&
    answered.value.kind === "struct" &&
    asked.value.type === answered.value.type &&
    hasNumberAndMore(asked.value.type)
  );
}

function hasNumberAndMore({ fields }: StructPlan): boolean {
  const hasField = (name: string, type: string): boolean =>
    fields.some(
      ({ field, value }) =>
        field.jsonName === name &&
        !field.isNullable &&
        value.kind === "scalar" &&
        value.form.type === type,
    );
  return hasField("page", "number") && hasField("more", "boolean");
}

function isToken({ field, value }: FieldPlan): boolean {
  return (
    field.isOptional && value.kind === "scalar" && value.form.type === "string"
  );
}
