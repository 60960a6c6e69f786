import type {
  EnumMember,
  Field,
  Item,
  Method,
} from "../../../../generator/1-parse/ast.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";

/** Finds the field, method, member or declaration that contains an offset. */
export function innermostMember(
  { syntax }: LoadedDocument,
  offset: number,
): Item | Field | Method | EnumMember | null {
  const isAround = ({ span }: Pick<Item, "span">): boolean =>
    span.start <= offset && offset <= span.end;
  const item = syntax.items.find(isAround);
  switch (item?.kind) {
    case undefined:
      return null;
    case "enum":
      return item.members.find(isAround) ?? item;
    case "service":
      return item.methods.find(isAround) ?? item;
    case "struct":
      return item.fields.find(isAround) ?? item;
    case "alias":
    case "error":
    case "header":
    case "import":
      return item;
  }
}
