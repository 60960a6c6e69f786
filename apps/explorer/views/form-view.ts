import type {
  FieldData,
  LimitsData,
  TypeReference,
  VariantData,
} from "../../../generator/4-emit/docs/explorer-data.js";
import { titleOf } from "../calls/advice.js";
import {
  chosenType,
  chosenValue,
  createDraft,
  type Draft,
  draftAt,
  type FieldDraft,
  isOneInput,
  type UnionDraft,
  valueOf,
} from "../calls/draft.js";
import { button, type Child, h, type Ids, removeButton } from "./element.js";
import { inputView, nameView } from "./input-view.js";
import { type Model, type Shape, typeText } from "../calls/model.js";
import type { Violation } from "../calls/violations.js";

/** The context that all parts of a form share. */
export interface FormScope {
  readonly model: Model;
  readonly ids: Ids;
  /** Called after every change to a draft. */
  readonly onChange: () => void;
  /** The elements of the fields, items and entries that are shown. */
  readonly places: WeakMap<FieldDraft | Draft, HTMLElement>;
}

/** A value of a form: its type and label. */
interface Slot {
  readonly label: string;
  readonly type: TypeReference;
  readonly limits: LimitsData | undefined;
  readonly isSensitive: boolean;
}

/** Shows inputs for the fields of a message. */
export function fieldsView(
  scope: FormScope,
  drafts: readonly FieldDraft[],
): readonly HTMLElement[] {
  return drafts.map((draft) => fieldView(scope, draft));
}

function slotOf({ isSensitive, limits, name, type }: FieldData): Slot {
  return { label: name, type, limits, isSensitive: isSensitive === true };
}

function fieldView(scope: FormScope, draft: FieldDraft): HTMLElement {
  const { field } = draft;
  const shape = scope.model.shape(field.type, field.limits);
  const redraw = (): void => {
    const next = fieldView(scope, draft);
    element.replaceWith(next);
    focusFirst(next);
    scope.onChange();
  };
  const isSingle = isOneInput(shape);
  // A link or JSON can omit a required field.
  const isSwitched =
    field.isNullable === true ||
    draft.state !== "given" ||
    (field.isOptional === true && !isSingle);
  const actions = isSwitched ? switchView(draft, redraw) : null;
  const element =
    draft.state === "given"
      ? valueView(scope, slotOf(field), shape, valueOf(scope.model, draft), {
          marks: marksOf(field),
          actions,
        })
      : h(
          "div",
          { class: "field", role: "group", "aria-label": field.name },
          labelLine(slotOf(field), marksOf(field), actions),
        );
  scope.places.set(draft, element);
  return element;
}

function marksOf({ isNullable, isOptional }: FieldData): readonly string[] {
  return [
    ...(isOptional === true ? ["optional"] : []),
    ...(isNullable === true ? ["or null"] : []),
  ];
}

/**
 * Shows buttons to add a value, omit it, or set it to null, if an input cannot
 * express that.
 */
function switchView(draft: FieldDraft, redraw: () => void): Child {
  const { isNullable, isOptional, name } = draft.field;
  const choose = (state: FieldDraft["state"]): void => {
    draft.state = state;
    redraw();
  };
  const make = (label: string, state: FieldDraft["state"]): Child =>
    button(label, () => choose(state), {
      class: "small",
      "aria-label": `${label} ${name}`,
    });
  if (draft.state !== "given") {
    const says = draft.state === "null" ? "null" : "omitted";
    return [
      h("span", { class: "quiet" }, says),
      draft.state === "null" && isOptional === true && make("Omit", "absent"),
      make("Add", "given"),
    ];
  }
  return [
    isNullable === true && make("Set to null", "null"),
    isOptional === true && make("Omit", "absent"),
  ];
}

/** Elements next to the name of a value. */
interface LabelExtras {
  readonly marks?: readonly string[];
  readonly actions?: Child;
}

function labelLine(
  { label, type }: Slot,
  marks: readonly string[],
  actions: Child,
): Child {
  return h(
    "div",
    { class: "label-line" },
    nameView(label, type, marks),
    h("span", { class: "actions" }, actions),
  );
}

function valueView(
  scope: FormScope,
  slot: Slot,
  shape: Shape,
  draft: Draft,
  { actions = null, marks = [] }: LabelExtras,
): HTMLElement {
  if (draft.kind === "null") {
    return h(
      "div",
      { class: "field", role: "group", "aria-label": slot.label },
      labelLine(slot, marks, actions),
    );
  }
  if (draft.kind === "text" || draft.kind === "file") {
    return h(
      "div",
      { class: "field" },
      inputView(scope, draft, {
        ...slot,
        shape,
        marks,
        title: titleOf(scope.model, slot.type, shape),
        isOptional: marks.includes("optional"),
      }),
      actions,
    );
  }
  const head = h("legend", {}, nameView(slot.label, slot.type, marks));
  return h(
    "fieldset",
    { class: "group" },
    head,
    h("div", { class: "actions" }, actions),
    groupView(scope, slot, shape, draft),
  );
}

function groupView(
  scope: FormScope,
  slot: Slot,
  shape: Shape,
  draft: Draft,
): Child {
  if (draft.kind === "list" && shape.kind === "list") {
    return listView(scope, slot, shape.element, draft);
  }
  if (draft.kind === "map" && shape.kind === "map") {
    return mapView(scope, slot, shape, draft);
  }
  if (draft.kind === "union" && shape.kind === "union") {
    return unionView(scope, slot, shape, draft);
  }
  if (draft.kind !== "struct") return null;
  return draft.fields.length === 0
    ? h("p", { class: "quiet" }, "No fields.")
    : fieldsView(scope, draft.fields);
}

/** Shows a choice of the variants, and the form of the chosen one. */
function unionView(
  scope: FormScope,
  slot: Slot,
  shape: Shape & { kind: "union" },
  draft: UnionDraft,
): HTMLElement {
  const { model } = scope;
  const select = h(
    "select",
    {
      "aria-label": `Variant of ${slot.label}`,
      onchange: () => {
        draft.chosen = Number(select.value);
        const next = unionView(scope, slot, shape, draft);
        view.replaceWith(next);
        focusFirst(next);
        scope.onChange();
      },
    },
    shape.declaration.variants.map((variant, at) =>
      h(
        "option",
        { value: String(at), selected: at === draft.chosen },
        shape.declaration.choice?.[at] ?? variantText(variant),
      ),
    ),
  );
  const type = chosenType(shape, draft);
  const inner = model.shape(type);
  const value = chosenValue(model, shape, draft);
  const { tags = [] } = shape.declaration.variants[draft.chosen] ?? {};
  const contents =
    value.kind === "struct"
      ? groupView(scope, slot, inner, withoutTag(value, tags))
      : valueView(
          scope,
          { ...slot, type, limits: undefined },
          inner,
          value,
          {},
        );
  const view = h("div", { class: "items" }, select, contents);
  scope.places.set(value, view);
  return view;
}

/** Removes the field that can only be the one tag of the chosen variant. */
function withoutTag(
  draft: Draft & { kind: "struct" },
  [tag, ...others]: readonly string[],
): Draft & { kind: "struct" } {
  const isTag = ({ field, state, value }: FieldDraft): boolean =>
    state === "given" &&
    field.limits?.enum?.length === 1 &&
    value?.kind === "text" &&
    value.text === tag;
  return tag === undefined || others.length > 0
    ? draft
    : { ...draft, fields: draft.fields.filter((each) => !isTag(each)) };
}

/** Names a variant by its tags, or by its type. */
function variantText({ tags, type }: VariantData): string {
  return tags.map((tag) => tag || '""').join(", ") || typeText(type);
}

function listView(
  scope: FormScope,
  slot: Slot,
  element: TypeReference,
  draft: Draft & { kind: "list" },
): HTMLElement {
  const shape = scope.model.shape(element);
  const redraw = (focus: number | null): void => {
    const next = listView(scope, slot, element, draft);
    view.replaceWith(next);
    const row = focus === null ? next : (next.children[focus] ?? next);
    focusFirst(row);
    scope.onChange();
  };
  const rows = draft.items.map((item, index) => {
    const label = `${slot.label} ${index + 1}`;
    const remove = removeButton(
      "Remove",
      () => {
        draft.items.splice(index, 1);
        redraw(Math.min(index, draft.items.length));
      },
      { class: "small", "aria-label": `Remove ${label}` },
    );
    const inner = { ...slot, label, type: element, limits: undefined };
    const replace = (next: Draft): void => {
      draft.items[index] = next;
      redraw(index);
    };
    const actions = [itemSwitch(scope, inner, item, replace), remove];
    const row = valueView(scope, inner, shape, item, { actions });
    scope.places.set(item, row);
    return row;
  });
  const add = button(
    "Add an item",
    () => {
      draft.items.push(createDraft(scope.model, shape));
      redraw(draft.items.length - 1);
    },
    { class: "small", "aria-label": `Add an item to ${slot.label}` },
  );
  const view = h("div", { class: "items" }, rows, h("div", {}, add));
  return view;
}

/** Shows a button that sets an item to null or adds its value. */
function itemSwitch(
  { model }: FormScope,
  { label, type }: Slot,
  draft: Draft,
  replace: (next: Draft) => void,
): Child {
  if (!model.isNullable(type)) return null;
  const isNull = draft.kind === "null";
  const text = isNull ? "Add" : "Set to null";
  return [
    isNull && h("span", { class: "quiet" }, "null"),
    button(
      text,
      () =>
        replace(
          isNull ? createDraft(model, model.shape(type)) : { kind: "null" },
        ),
      { class: "small", "aria-label": `${text} ${label}` },
    ),
  ];
}

function mapView(
  scope: FormScope,
  slot: Slot,
  map: Shape & { kind: "map" },
  draft: Draft & { kind: "map" },
): HTMLElement {
  const { model } = scope;
  const redraw = (focus: number): void => {
    const next = mapView(scope, slot, map, draft);
    view.replaceWith(next);
    focusFirst(next.children[focus] ?? next);
    scope.onChange();
  };
  const rows = draft.entries.map((entry, index) => {
    const label = `${slot.label} ${index + 1}`;
    const key: Draft & { kind: "text" } = { kind: "text", text: entry.key };
    const keyScope = {
      ...scope,
      onChange: () => {
        entry.key = key.text;
        scope.onChange();
      },
    };
    const remove = removeButton(
      "Remove",
      () => {
        draft.entries.splice(index, 1);
        redraw(Math.min(index, draft.entries.length));
      },
      { class: "small", "aria-label": `Remove ${label}` },
    );
    const keySlot = { ...slot, label: `${label} key`, type: map.key };
    const valueSlot = { ...slot, label: `${label} value`, type: map.value };
    const none = { limits: undefined };
    const replace = (next: Draft): void => {
      entry.value = next;
      redraw(index);
    };
    const value = valueView(
      scope,
      { ...valueSlot, ...none },
      model.shape(map.value),
      entry.value,
      { actions: itemSwitch(scope, valueSlot, entry.value, replace) },
    );
    scope.places.set(entry.value, value);
    return h(
      "div",
      { class: "entry" },
      valueView(keyScope, { ...keySlot, ...none }, model.shape(map.key), key, {
        actions: remove,
      }),
      value,
    );
  });
  const add = button(
    "Add an entry",
    () => {
      const key = createDraft(model, model.shape(map.key));
      draft.entries.push({
        key: key.kind === "text" ? key.text : "",
        value: createDraft(model, model.shape(map.value)),
      });
      redraw(draft.entries.length - 1);
    },
    { class: "small", "aria-label": `Add an entry to ${slot.label}` },
  );
  const view = h("div", { class: "items" }, rows, h("div", {}, add));
  return view;
}

/**
 * Shows at each field what a server did not accept, until the field changes.
 * Returns a function that removes all of it.
 */
export function showViolations(
  { ids, places }: FormScope,
  fields: readonly FieldDraft[],
  violations: readonly Violation[],
): () => void {
  const removes = violations.map(({ path, text }) => {
    const draft = draftAt(fields, path);
    const place = draft === null ? undefined : places.get(draft);
    return place === undefined ? null : showRefused(place, text, ids());
  });
  return () => removes.forEach((remove) => remove?.());
}

/** Returns a function that removes the text. */
function showRefused(place: HTMLElement, text: string, id: string): () => void {
  const note = h("p", { id, class: "advice refused" }, text);
  const head = place.querySelector(":scope > legend") ?? place.lastElementChild;
  head?.after(note);
  const input = place.querySelector(":scope > :is(input, select, textarea)");
  const describedBy = input?.getAttribute("aria-describedby") ?? "";
  input?.setAttribute("aria-invalid", "true");
  input?.setAttribute("aria-describedby", id);
  const changes = ["input", ...(input === null ? ["click"] : [])];
  const remove = (): void => {
    for (const name of changes) place.removeEventListener(name, remove, true);
    note.remove();
    input?.removeAttribute("aria-invalid");
    input?.setAttribute("aria-describedby", describedBy);
  };
  // Capture events, so that the input then decides whether its value is valid.
  for (const name of changes) place.addEventListener(name, remove, true);
  return remove;
}

/** Focuses the first input, or otherwise the first button. */
function focusFirst(element: Element): void {
  const find = (selector: string): HTMLElement | null =>
    element.querySelector<HTMLElement>(selector);
  (find("input, select, textarea") ?? find("button"))?.focus();
}
