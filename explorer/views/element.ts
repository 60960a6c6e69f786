/** What an element can hold; null and false are nothing. */
export type Child = Node | string | null | false | readonly Child[];

/** Attributes by name; listeners are those that begin with `on`. */
export type Attributes = Readonly<
  Record<string, string | boolean | undefined | ((event: Event) => void)>
>;

/**
 * Makes an element. Text stays text: nothing is ever parsed as HTML.
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

/** Takes everything out of an element and puts other things in. */
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

/**
 * Things beside each other, with spaces between: for those who listen, and for
 * those who copy.
 */
export function spaced(...children: readonly Child[]): readonly Child[] {
  return children.map((child) => (child ? [child, " "] : child));
}

/** A button that does something. */
export function button(
  label: Child,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h(
    "button",
    { type: "button", ...attributes, onclick: onClick },
    label,
  );
}

/** Numbers for ids that no other element of the page has. */
export type Ids = () => string;

/** Makes a source of ids. */
export function createIds(): Ids {
  let last = 0;
  return () => {
    last += 1;
    return `i${last}`;
  };
}
