import { itemsOf, membersOf, type ComparedPlace, Places } from "./places.js";

/**
 * Removes null where a member is optional, because it counts as absent. So is a
 * required member that the other side has.
 */
export function withoutNulls(
  value: unknown,
  schemas: readonly ComparedPlace[],
  use: "request" | "response" | null,
  places: Places,
): unknown {
  const all = schemas.flatMap((each) => places.expand(each));
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      withoutNulls(item, places.step(all, index), use, places),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const isOptional = (key: string): boolean => {
    const declared = all.flatMap(
      (each) => places.at(each, "properties", key) ?? [],
    );
    const isRequired = all.some(({ value: schema }) =>
      itemsOf(membersOf(schema)["required"]).includes(key),
    );
    return (
      declared.length > 0 &&
      (!isRequired || declared.some((each) => isOfOtherSide(each, use, places)))
    );
  };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => member !== null || !isOptional(key))
      .map(([key, member]) => [
        key,
        withoutNulls(member, places.step(all, key), use, places),
      ]),
  );
}

/** Whether only the other side of a request or response sends a member. */
function isOfOtherSide(
  property: ComparedPlace,
  use: "request" | "response" | null,
  places: Places,
): boolean {
  const other = use === "request" ? "readOnly" : "writeOnly";
  const both = [property, places.resolve(property)];
  return (
    use !== null && both.some((each) => membersOf(each.value)[other] === true)
  );
}
