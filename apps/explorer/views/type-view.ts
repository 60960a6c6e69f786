import type {
  ErrorData,
  TypeReference,
} from "../../../generator/4-emit/docs/explorer-data.js";
import { type Child, h } from "./element.js";

/** Returns a link to a type on this page. */
export function linkToType(name: string): string {
  return `#models/${encodeURIComponent(name)}`;
}

/** Shows which struct an error carries, if it carries one. */
export function errorDataView({ data }: ErrorData): Child {
  if (data === undefined) return null;
  return h("p", {}, "Data: ", h("a", { href: linkToType(data) }, data));
}

/** Shows a type in RIDL, with links to declared types. */
export function typeView(reference: TypeReference): Child {
  switch (reference.kind) {
    case "scalar":
      return reference.name;
    case "reference":
      return h("a", { href: linkToType(reference.name) }, reference.name);
    case "list":
      return ["[]", typeView(reference.element)];
    case "map":
      return [
        "map<",
        typeView(reference.key),
        ",",
        typeView(reference.value),
        ">",
      ];
  }
}
