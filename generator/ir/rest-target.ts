import type { BodyFormat, Route } from "./contract.js";

/** A method's verb, path and query of its own. */
export type RestRoute = Extract<Route, { kind: "rest" }>;

/**
 * Returns the JSON names of the outputs that are whole bodies, or none if the
 * body is an object with all outputs.
 */
export function bodyOutputsOf({
  body,
  statuses,
}: RestRoute): readonly string[] {
  const all = [body, ...statuses.map((each) => each.body)];
  return [...new Set(all.filter((name) => name !== null))];
}

/** Returns a path and a query, e.g. `/orders/{id}?notify&limit={pageSize}`. */
export function restTargetOf({ path, query }: RestRoute): string {
  const parts = query.map((each) => {
    if (each.kind === "fixed") return `${each.name}=${each.value}`;
    if (each.isJoined) return `${each.name}={${each.field},}`;
    return each.name === each.field
      ? each.name
      : `${each.name}={${each.field}}`;
  });
  return parts.length > 0 ? `${path.text}?${parts.join("&")}` : path.text;
}

/** What follows the names of lists in a form, or null if there are no names. */
export const listMarks: Readonly<Record<BodyFormat, string | null>> = {
  json: null,
  file: null,
  form: "",
  "bracket-form": "[]",
};

/** Whether a body is a form. */
export function isFormFormat(format: BodyFormat): boolean {
  return listMarks[format] !== null;
}
