import type { TypeData } from "../../../generator/4-emit/docs/explorer-data.js";
import type { Model } from "../calls/model.js";
import { usageOf } from "../calls/usage.js";
import { type Child, h } from "./element.js";
import { linkTo } from "./overview.js";
import {
  fieldList,
  limitsView,
  membersView,
  variantsView,
} from "./shape-view.js";
import { firstSentence, inline, paragraphs } from "./text-view.js";
import { linkToType, typeView } from "./type-view.js";

/** Shows all types of the contract by kind. */
export function modelsView({ data }: Model): HTMLElement {
  const groups = [
    ["Structs", "struct"],
    ["Unions", "union"],
    ["Enums", "enum"],
    ["Aliases", "alias"],
  ] as const;
  return h(
    "article",
    { class: "page" },
    h("h1", { tabindex: "-1" }, "Models"),
    data.types.length === 0 &&
      h("p", { class: "lead" }, "This contract declares no types."),
    groups.map(([title, kind]) => {
      const types = data.types.filter((type) => type.kind === kind);
      return (
        types.length > 0 && [
          h("h2", {}, title, h("span", { class: "quiet" }, `${types.length}`)),
          h("ul", { class: "methods" }, types.map(itemView)),
        ]
      );
    }),
  );
}

function itemView({ docs, name }: TypeData): Child {
  return h(
    "li",
    {},
    h("a", { href: linkToType(name) }, name),
    h("span", {}, inline(firstSentence(docs))),
  );
}

/** Shows a type, its contents, and where it is used. */
export function modelView(model: Model, type: TypeData): HTMLElement {
  return h(
    "article",
    { class: "page" },
    h("p", { class: "path" }, h("a", { href: "#models" }, "Models")),
    h("h1", { tabindex: "-1" }, type.name),
    h("div", { class: "docs" }, paragraphs(type.docs)),
    contentView(model, type),
    usageView(model, type.name),
  );
}

function contentView(model: Model, type: TypeData): Child {
  switch (type.kind) {
    case "struct":
      return [
        h("h2", {}, "Fields"),
        type.fields.length === 0
          ? h("p", { class: "quiet" }, "No fields.")
          : fieldList(model, type.fields, [type.name]),
      ];
    case "enum":
      return [h("h2", {}, "Values"), membersView(type)];
    case "union":
      return [h("h2", {}, "Variants"), variantsView(type)];
    case "alias": {
      const known = type.known === undefined ? null : model.type(type.known);
      return [
        h("h2", {}, "Type"),
        h("p", {}, typeView(type.type), type.isNullable === true && " or null"),
        limitsView(
          model,
          { kind: "reference", name: type.name },
          type.limits ?? {},
        ),
        known?.kind === "enum" && [
          h("h2", {}, "Known values"),
          h("p", { class: "quiet" }, "Other values are possible."),
          membersView(known),
        ],
      ];
    }
  }
}

function usageView(model: Model, name: string): Child {
  const { methods, types } = usageOf(model, name);
  const links = [
    ...methods.map((entry) => h("a", { href: linkTo(entry) }, entry.id)),
    ...types.map((type) => h("a", { href: linkToType(type) }, type)),
  ];
  return [
    h("h2", {}, "Used by"),
    links.length === 0
      ? h("p", { class: "quiet" }, "Nothing.")
      : h(
          "ul",
          { class: "methods" },
          links.map((link) => h("li", {}, link)),
        ),
  ];
}
