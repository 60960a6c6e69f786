/** The children of an element. Null and false are omitted. */
export type Child = Node | string | null | false | readonly Child[];

/** Attributes by name. Names of listeners start with `on`. */
export type Attributes = Readonly<
  Record<string, string | boolean | undefined | ((event: Event) => void)>
>;

/**
 * Creates an element. Text is never parsed as HTML.
 *
 * Example: `h("a", { href: "#", class: "link" }, "Home")`.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  append(element, children);
  return element;
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === false) continue;
    if (isList(child)) append(element, child);
    else element.append(child);
  }
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

/** Separates children with spaces, for screen readers and for copied text. */
export function spaced(...children: readonly Child[]): readonly Child[] {
  return children.map((child) => (child ? [child, " "] : child));
}

/** Creates a button with a click listener. */
export function button(
  label: Child,
  onClick: (event: Event) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h(
    "button",
    { type: "button", ...attributes, onclick: onClick },
    label,
  );
}

/**
 * Creates a button that removes something. It ignores the second click of a
 * double click, because the next button can have moved there.
 */
export function removeButton(
  label: Child,
  onClick: () => void,
  attributes: Attributes,
): HTMLButtonElement {
  const remove = (event: Event): void => {
    const isRepeated = event instanceof UIEvent && event.detail > 1;
    if (!isRepeated) onClick();
  };
  return button(label, remove, attributes);
}

/** Creates a check box. `onChange` gets whether it is checked. */
export function checkBox(
  ids: Ids,
  label: string,
  isChecked: boolean,
  onChange: (isChecked: boolean) => void,
): HTMLElement {
  const id = ids();
  const input = h("input", {
    type: "checkbox",
    id,
    onchange: () => onChange(input.checked),
  });
  input.checked = isChecked;
  return h("div", { class: "check" }, input, h("label", { for: id }, label));
}

/** Returns a new ID, which is unique on the page. */
export type Ids = () => string;

/** Creates a source of unique IDs. */
export function createIds(): Ids {
  let last = 0;
  return () => {
    last += 1;
    return `i${last}`;
  };
}
