import type {
  LimitsData,
  TypeReference,
} from "../../../generator/4-emit/docs/explorer-data.js";
import { adviceFor } from "../calls/advice.js";
import type { Draft } from "../calls/draft.js";
import { type Child, h, type Ids, spaced } from "./element.js";
import {
  type EnumData,
  formOf,
  type Model,
  type Shape,
  typeText,
} from "../calls/model.js";

/** The context of an input. */
export interface InputScope {
  readonly model: Model;
  readonly ids: Ids;
  readonly onChange: () => void;
}

/** Properties of an input. */
export interface InputFacts {
  readonly label: string;
  readonly type: TypeReference;
  readonly limits: LimitsData | undefined;
  readonly shape: Shape;
  readonly marks: readonly string[];
  /** Description of a valid value, e.g. `an address`. */
  readonly title: string;
  readonly isOptional: boolean;
  readonly isSensitive: boolean;
}

type TextDraft = Draft & { kind: "text" };
type FileDraft = Draft & { kind: "file" };

/** Shows a label, an input, and advice about invalid values. */
export function inputView(
  scope: InputScope,
  draft: TextDraft | FileDraft,
  facts: InputFacts,
): Child {
  const id = scope.ids();
  const label = h(
    "label",
    { for: id, class: "label-line" },
    nameView(facts.label, facts.type, facts.marks),
  );
  const control =
    draft.kind === "file"
      ? fileView(scope, draft, id)
      : controlView(scope, draft, facts, id);
  return [label, control];
}

/** Shows the name and type of a value. */
export function nameView(
  label: string,
  type: TypeReference,
  marks: readonly string[],
): Child {
  return spaced(
    h("span", { class: "label" }, label),
    h("span", { class: "type" }, typeText(type)),
    ...marks.map((mark) => h("span", { class: "mark" }, mark)),
  );
}

function fileView(scope: InputScope, draft: FileDraft, id: string): Child {
  const update = (): void => {
    draft.files = Array.from(input.files ?? []);
    scope.onChange();
  };
  const input = h("input", {
    type: "file",
    id,
    onchange: update,
    // Choosing the same file again, because it has changed, is no change.
    oncancel: update,
  });
  const chosen = new DataTransfer();
  for (const file of draft.files) chosen.items.add(file);
  input.files = chosen.files;
  return input;
}

function controlView(
  scope: InputScope,
  draft: TextDraft,
  facts: InputFacts,
  id: string,
): Child {
  const { isOptional, shape } = facts;
  if (shape.kind === "enum") {
    return selectView(scope, draft, id, shape.values, isOptional);
  }
  if (shape.kind === "scalar" && shape.limits.enum !== undefined) {
    return selectView(scope, draft, id, shape.limits.enum, isOptional);
  }
  if (formOf(shape) === "boolean") {
    return selectView(scope, draft, id, ["true", "false"], isOptional);
  }
  if (formOf(shape) === "null") {
    return h("input", { id, value: "null", readonly: true });
  }
  return textView(scope, draft, facts, id);
}

function selectView(
  scope: InputScope,
  draft: TextDraft,
  id: string,
  values: readonly string[],
  isOptional: boolean,
): Child {
  // Without a text, an optional field is omitted.
  const listed = isOptional ? values.filter((value) => value !== "") : values;
  // A value that is not in the list came from JSON and is kept.
  const isKnown = listed.includes(draft.text) || draft.text === "";
  const all = isKnown ? listed : [draft.text, ...listed];
  const isOmitted = draft.text === "" && !listed.includes("");
  const option = (value: string, text: string): Child =>
    h("option", { value, selected: value === draft.text }, text);
  const select = h(
    "select",
    {
      id,
      onchange: () => {
        draft.text = select.value;
        scope.onChange();
      },
    },
    // A link or JSON can omit a required value.
    (isOptional || isOmitted) && option("", "omitted"),
    all.map((value) => option(value, value === "" ? '""' : value)),
  );
  return select;
}

function textView(
  scope: InputScope,
  draft: TextDraft,
  facts: InputFacts,
  id: string,
): Child {
  const { limits, shape, type } = facts;
  const adviceId = `${id}-advice`;
  const listId = `${id}-list`;
  const known = shape.kind === "scalar" ? shape.known : null;
  const advice = h("p", { id: adviceId, class: "advice" });
  const update = (): void => {
    const text = adviceFor(scope.model, type, limits, input.value);
    advice.textContent = text ?? "";
    const isRefused = input.parentElement?.querySelector(":scope > .refused");
    if (text === null && !isRefused) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  };
  const attributes = {
    id,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: placeholderOf(facts),
    "aria-describedby": adviceId,
    oninput: () => {
      draft.text = input.value;
      // While the user types, a value is only checked if it was invalid before.
      if (input.hasAttribute("aria-invalid")) update();
      scope.onChange();
    },
    onblur: () => update(),
  };
  const isJson = formOf(shape) === "json";
  const input: HTMLInputElement | HTMLTextAreaElement = isJson
    ? h("textarea", { ...attributes, rows: "2" })
    : h("input", {
        ...attributes,
        type: facts.isSensitive ? "password" : "text",
        inputmode: isNumber(shape) ? "decimal" : undefined,
        list: known === null ? undefined : listId,
      });
  input.value = draft.text;
  return [input, known !== null && knownValues(known, listId), advice];
}

function placeholderOf({ isOptional, shape, title }: InputFacts): string {
  const { example } =
    shape.kind === "scalar" || shape.kind === "bytes" ? shape.limits : {};
  return example === undefined || !isOptional ? title : `e.g. ${example}`;
}

function isNumber(shape: Shape): boolean {
  return /number|integer/u.test(formOf(shape) ?? "");
}

function knownValues({ members }: EnumData, id: string): Child {
  return h(
    "datalist",
    { id },
    members.map(({ value }) => h("option", { value })),
  );
}
