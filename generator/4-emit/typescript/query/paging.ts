import type { FieldPlan, MethodPlan, StructPlan } from "../plan/plan.js";

/**
 * How a method returns pages: with a page number and `more` in the same struct
 * of both messages, or with a token, e.g. `cursor` in the request and
 * `nextCursor` in the response.
 */
export interface Paging {
  /** Whether pages have numbers. If not, a token identifies them. */
  readonly isNumbered: boolean;
  /** The struct in the request that contains the token, or null. */
  readonly holder: FieldPlan | null;
  /**
   * The field that identifies the requested page, in the request or its
   * `holder`.
   */
  readonly asked: FieldPlan;
  /**
   * The field of the response that indicates the next page: the struct that
   * contains `more`, or the next page's token.
   */
  readonly answered: FieldPlan;
}

type FieldsByName = ReadonlyMap<string, FieldPlan>;

/** Determines how a method returns pages. Returns null if it does not. */
export function pagingOf({ request, response }: MethodPlan): Paging | null {
  const answers = new Map(
    response.object.fields.map((field) => [field.field.jsonName, field]),
  );
  for (const field of request.object.fields.filter(canBeChanged)) {
    const paging =
      numberedPaging(field, answers) ??
      tokenPaging(field, answers, null) ??
      heldTokenPaging(field, answers);
    if (paging !== null) return paging;
  }
  return null;
}

/** Whether code can copy a request with another value for a field. */
function canBeChanged({ field }: FieldPlan): boolean {
  return !field.isNullable && /^[A-Za-z]\w*$/.test(field.jsonName);
}

function numberedPaging(
  asked: FieldPlan,
  answers: FieldsByName,
): Paging | null {
  const answered = answers.get(asked.field.jsonName);
  return answered !== undefined && isNumberedPage(asked, answered)
    ? { isNumbered: true, holder: null, asked, answered }
    : null;
}

function tokenPaging(
  asked: FieldPlan,
  answers: FieldsByName,
  holder: FieldPlan | null,
): Paging | null {
  const { jsonName } = asked.field;
  const named = `next${jsonName[0]?.toUpperCase()}${jsonName.slice(1)}`;
  const bare = /^(?:after|cursor)$/.test(jsonName) ? "next" : named;
  const answered = answers.get(named) ?? answers.get(bare);
  return answered !== undefined && isToken(asked) && isToken(answered)
    ? { isNumbered: false, holder, asked, answered }
    : null;
}

function heldTokenPaging(
  holder: FieldPlan,
  answers: FieldsByName,
): Paging | null {
  if (holder.value.kind !== "struct") return null;
  const { fields } = holder.value.type;
  // The first request can omit the holder, but the next one cannot.
  if (holder.field.isOptional && fields.some(({ field }) => !field.isOptional))
    return null;
  const found = fields
    .filter(canBeChanged)
    .map((asked) => tokenPaging(asked, answers, holder));
  return found.find((paging) => paging !== null) ?? null;
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
