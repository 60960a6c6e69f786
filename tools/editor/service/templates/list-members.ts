import {
  describeProperty,
  describeRecord,
  type ViewType,
} from "../../../../generator/4-emit/templates/view-types.js";
import {
  describe,
  listOf,
  membersOf,
} from "../../../../generator/4-emit/templates/type-rules.js";
import {
  type EditedSet,
  findChoicesAt,
} from "../../../../generator/4-emit/templates/edited-set.js";
import type { Tag } from "./read-tag.js";

/** A name that a path can have. */
export interface ViewMember {
  readonly name: string;
  readonly type: ViewType;
  /** Its description, or an empty text. */
  readonly docs: string;
}

/** A template of a set. */
export interface EditedTemplate {
  readonly set: EditedSet;
  /** Path in the set without its extension, e.g. `type/struct`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Lists what a path in a tag can name after a prefix such as `host.`: properties
 * and parameters that exist for every type that the template gets. Returns an
 * empty list if no file of the set leads to the template.
 */
export function listMembers(
  { name, set, text }: EditedTemplate,
  { open, start }: Tag,
  prefix: string,
): readonly ViewMember[] {
  // What follows the cursor may be unfinished, and does not matter.
  const blocks = open.toReversed().map((block) => `{{/${block}}}`);
  const excerpt = `${text.slice(0, start)}{{${prefix}${wanted}}}${blocks.join("")}`;
  const [first, ...others] = findChoicesAt(set, name, excerpt, wanted).map(
    ({ parameters, type }) => {
      const record = type.kind === "nullable" ? type.of : type;
      const properties = [...(membersOf(record) ?? [])].map(
        ([name, each]): ViewMember => ({
          name,
          type: each,
          docs: describeMember(record, name, each),
        }),
      );
      const passed = [...parameters].map(([name, each]): ViewMember => ({
        name,
        type: each,
        docs: "",
      }));
      return new Map(
        [...properties, ...passed].map((member) => [member.name, member]),
      );
    },
  );
  return [...(first?.values() ?? [])].filter(({ name }) =>
    others.every((each) => each.has(name)),
  );
}

/** A name that no record of the view and no helper has. */
const wanted = "name-at-cursor";

function describeMember(owner: ViewType, name: string, type: ViewType): string {
  const docs =
    owner.kind === "record" || owner.kind === "union"
      ? describeProperty(owner.name, name)
      : "";
  return docs === "" ? describeTypeOf(type) : docs;
}

/** Returns the description of the record that a value is or contains. */
function describeTypeOf(type: ViewType): string {
  switch (type.kind) {
    case "record":
    case "union":
      return describeRecord(type.name);
    case "list":
      return describeTypeOf(type.element);
    case "nullable":
      return describeTypeOf(type.of);
    case "boolean":
    case "choice":
    case "identifier":
    case "literal":
    case "number":
    case "text":
      return "";
  }
}

/** Describes the type of a member, e.g. ``a list of `FieldView` ``. */
export function printType(type: ViewType): string {
  return type.kind === "choice"
    ? `one of ${listOf(type.values)}`
    : describe(type);
}
