import type {
  FieldData,
  MessageData,
  TypeReference,
} from "../../../generator/4-emit/docs/explorer-data.js";
import { limitTexts } from "../calls/advice.js";
import { type Child, h, spaced } from "./element.js";
import type { EnumData, Model, UnionData } from "../calls/model.js";
import { inline, paragraphs } from "./text-view.js";
import { typeView } from "./type-view.js";

/** Shows the fields of a request or a response. */
export function messageView(
  model: Model,
  message: MessageData | undefined,
): Child {
  const fields = model.fieldsOf(message);
  if (fields.length === 0) return h("p", { class: "quiet" }, "No fields.");
  const seen = message?.struct === undefined ? [] : [message.struct];
  return fieldList(model, fields, seen);
}

/** Shows a list of fields. Input: the names of the structs around them. */
export function fieldList(
  model: Model,
  fields: readonly FieldData[],
  seen: readonly string[],
): Child {
  return h(
    "ul",
    { class: "fields" },
    fields.map((field) => fieldItem(model, field, seen)),
  );
}

function fieldItem(
  model: Model,
  field: FieldData,
  seen: readonly string[],
): Child {
  const { deprecated, isNullable, isOptional, isSensitive, limits } = field;
  const mark = (text: string): Child => h("span", { class: "mark" }, text);
  return h(
    "li",
    {},
    h(
      "div",
      { class: "field-head" },
      spaced(
        h(
          "code",
          { class: deprecated === undefined ? "name" : "name old" },
          field.name,
        ),
        h("span", { class: "type" }, typeView(field.type)),
        isOptional === true && mark("optional"),
        isNullable === true && mark("or null"),
        isSensitive === true && mark("sensitive"),
        field.isExtra === true && mark("all other members"),
        field.header !== undefined && mark(`header ${field.header}`),
        deprecated !== undefined && mark("deprecated"),
      ),
    ),
    paragraphs(field.docs),
    deprecated ? h("p", { class: "quiet" }, inline(deprecated)) : null,
    limitsView(model, field.type, limits ?? {}),
    innerView(model, field.type, seen),
  );
}

/**
 * Shows the title, limits, pattern and example of a type. Returns null if there
 * are none.
 */
export function limitsView(
  model: Model,
  type: TypeReference,
  limits: NonNullable<FieldData["limits"]>,
): Child {
  const { title } = model.aliases(type).find((alias) => alias.title) ?? {};
  // The title can already contain a limit.
  const texts = limitTexts(limits).filter((text) => !title?.includes(text));
  const { example, pattern } = limits;
  const parts: Child[] = [];
  if (title !== undefined) parts.push(capital(title));
  if (texts.length > 0) parts.push(texts.join(", "));
  if (pattern !== undefined) {
    parts.push(["matches ", h("code", {}, pattern)]);
  }
  if (example !== undefined) parts.push(["e.g. ", h("code", {}, example)]);
  if (parts.length === 0) return null;
  return h(
    "p",
    { class: "limits" },
    parts.map((part, index) => (index === 0 ? part : [" · ", part])),
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Shows the contents of a type, collapsed. */
function innerView(
  model: Model,
  type: TypeReference,
  seen: readonly string[],
): Child {
  const name = declaredName(model, type);
  const known = model.aliases(type).find((alias) => alias.known)?.known;
  const declaration = name === null ? null : model.type(known ?? name);
  if (declaration === null) return null;
  switch (declaration.kind) {
    case "alias":
      return null;
    case "union":
      return opening(`Variants of ${declaration.name}`, () => [
        paragraphs(declaration.docs),
        variantsView(declaration),
      ]);
    case "enum":
      return opening(`Values (${declaration.members.length})`, () => [
        known !== undefined &&
          h("p", { class: "quiet" }, "Other values are possible."),
        membersView(declaration),
      ]);
    case "struct":
      if (seen.includes(declaration.name)) {
        return h("p", { class: "quiet" }, `See ${declaration.name} above.`);
      }
      return opening(`Fields of ${declaration.name}`, () => [
        paragraphs(declaration.docs),
        fieldList(model, declaration.fields, [...seen, declaration.name]),
      ]);
  }
}

/**
 * Returns the name of the struct, enum or open alias that a type refers to,
 * also inside lists and maps. Returns null if there is none.
 */
function declaredName(model: Model, type: TypeReference): string | null {
  const aliases = model.aliases(type);
  const target = aliases.at(-1)?.type ?? type;
  switch (target.kind) {
    case "reference":
      return target.name;
    case "list":
      return declaredName(model, target.element);
    case "map":
      return declaredName(model, target.value);
    case "scalar":
      return aliases.find((alias) => alias.known)?.name ?? null;
  }
}

/**
 * Creates contents when they are expanded, because types can contain
 * themselves.
 */
function opening(label: string, make: () => readonly Child[]): Child {
  const inside = h("div", { class: "inside" });
  const details = h(
    "details",
    {
      ontoggle: () => {
        if (details.open && inside.childNodes.length === 0) {
          inside.append(h("div", {}, make()));
        }
      },
    },
    h("summary", {}, label),
    inside,
  );
  return details;
}

/** Shows the variants of a union, and what tells them apart. */
export function variantsView(union: UnionData): Child {
  const { choice, isOpen, tag, variants } = union;
  return [
    tag !== undefined &&
      h("p", { class: "quiet" }, "Told apart by ", h("code", {}, tag), "."),
    choice !== undefined &&
      h("p", { class: "quiet" }, `Exactly one of ${choice.join(", ")}.`),
    h(
      "ul",
      { class: "fields" },
      variants.map(({ tags, type }) =>
        h(
          "li",
          {},
          h(
            "div",
            { class: "field-head" },
            spaced(
              ...tags.map((each) => h("code", { class: "name" }, each || '""')),
              h("span", { class: "type" }, typeView(type)),
            ),
          ),
        ),
      ),
    ),
    isOpen === true &&
      h("p", { class: "quiet" }, "Other variants are possible."),
  ];
}

/** Shows the values of an enum. */
export function membersView({ members }: EnumData): Child {
  return h(
    "ul",
    { class: "fields" },
    members.map((member) =>
      h(
        "li",
        {},
        h(
          "div",
          { class: "field-head" },
          spaced(
            h("code", { class: "name" }, member.value),
            member.name === undefined
              ? null
              : h("span", { class: "type" }, member.name),
          ),
        ),
        paragraphs(member.docs),
      ),
    ),
  );
}
