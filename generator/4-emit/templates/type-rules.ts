import type { HelperType } from "./template-helpers.js";
import { propertiesOf, variantsOf, type ViewType } from "./view-types.js";

/** Returns the members of a record, or those that all records of a union have. */
export function membersOf(
  type: ViewType,
): ReadonlyMap<string, ViewType> | null {
  if (type.kind === "record") return propertiesOf(type.name);
  if (type.kind !== "union") return null;
  const variants = variantsOf(type.name);
  const [first = new Map<string, ViewType>(), ...others] = Array.from(
    variants.values(),
    propertiesOf,
  );
  const shared = [...first].filter(([name, { kind }]) =>
    others.every((each) => each.get(name)?.kind === kind),
  );
  return new Map([
    ...shared,
    ["kind", { kind: "choice", values: [...variants.keys()] }],
  ]);
}

/** Returns the kinds of a union whose records have a property. */
export function kindsWith(type: ViewType, name: string): readonly string[] {
  if (type.kind !== "union") return [];
  return [...variantsOf(type.name)]
    .filter(([, record]) => propertiesOf(record).has(name))
    .map(([kind]) => kind);
}

/** Whether a value can be printed as it is. */
export function isPrintable({ kind }: ViewType): boolean {
  return ["choice", "identifier", "literal", "number"].includes(kind);
}

/** Whether a value is text or null. */
export function isNullableText(type: ViewType): boolean {
  return type.kind === "nullable" && type.of.kind === "text";
}

/**
 * Whether a value can be a condition. An empty text or 0 would not hold, so
 * neither can.
 */
export function isCondition(type: ViewType): boolean {
  if (type.kind === "nullable") {
    return type.of.kind === "record" || type.of.kind === "union";
  }
  return type.kind === "boolean" || type.kind === "list";
}

/** Whether a helper accepts a value. */
export function accepts(wanted: HelperType, type: ViewType): boolean {
  switch (wanted) {
    case "text":
      return type.kind === "text" || isPrintable(type);
    case "docs":
      return type.kind === "record" && type.name === "DocsView";
    case "identifier":
      return type.kind === "identifier";
    case "printable":
      return isPrintable(type);
    case "condition":
      return isCondition(type);
    case "nullable":
      return type.kind === "nullable";
    case "choice":
      return type.kind === "choice";
  }
}

/** What a helper needs, in words. */
export const wantedNames: Readonly<Record<HelperType, string>> = {
  text: "text",
  docs: "a doc comment",
  identifier: "a name",
  printable: "text that can be printed",
  condition: "a condition",
  nullable: "a value that can be null",
  choice: "a value of a closed list",
};

/** Returns the type of what a helper returns. */
export function resultOf(result: HelperType): ViewType {
  switch (result) {
    case "condition":
      return { kind: "boolean" };
    case "identifier":
      return { kind: "identifier" };
    case "choice":
    case "docs":
    case "nullable":
    case "printable":
    case "text":
      return { kind: "literal" };
  }
}

/** Describes a type, e.g. ``a name`. */
export function describe(type: ViewType): string {
  switch (type.kind) {
    case "text":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "identifier":
      return "a name";
    case "literal":
      return "printed text";
    case "choice":
      return "a value of a closed list";
    case "list":
      return `a list of ${type.element.kind === "record" ? nameOf(type.element.name) : type.element.kind}`;
    case "record":
    case "union":
      return nameOf(type.name);
    case "nullable":
      return `${describe(type.of)} or null`;
  }
}

function nameOf(type: string): string {
  return `\`${type}\``;
}

/** Lists names in a message. */
export function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
