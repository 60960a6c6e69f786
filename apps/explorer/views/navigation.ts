import type { TypeData } from "../../../generator/4-emit/docs/explorer-data.js";
import { type Child, fill, h } from "./element.js";
import type { Entry, Model } from "../calls/model.js";
import { verbOf } from "../calls/request.js";
import { linkTo } from "./overview.js";
import { linkToType } from "./type-view.js";

/** The list of methods, and functions that update it. */
export interface Navigation {
  readonly elements: readonly Child[];
  /** Marks the current page. */
  readonly mark: (hash: string) => void;
  readonly focusFilter: () => void;
}

/**
 * Creates a list of all pages and methods. While a filter is set, the list
 * contains only the matching methods and models.
 */
export function createNavigation(model: Model): Navigation {
  const list = h("div", { class: "list" });
  const found = h("p", { class: "unseen", role: "status" });
  let current = "";
  const draw = (): void => {
    const entries = filterEntries(model.entries, filter.value);
    const isFiltered = filter.value.trim() !== "";
    const types = isFiltered ? filterTypes(model, filter.value) : [];
    const count = entries.length + types.length;
    found.textContent = isFiltered ? `${count} found` : "";
    fill(
      list,
      !isFiltered && pagesView(),
      listView(model, entries),
      typesView(types),
      isFiltered &&
        count === 0 &&
        h("p", { class: "quiet" }, "No method or model matches."),
    );
    markCurrent(list, current);
  };
  const filter = h("input", {
    type: "search",
    id: "filter",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Filter methods and models",
    "aria-label": "Filter methods and models",
    "aria-keyshortcuts": "Control+K Meta+K",
    oninput: draw,
    onkeydown: (event) => {
      if (!(event instanceof KeyboardEvent)) return;
      const first = list.querySelector<HTMLElement>("a");
      if (event.key === "Enter") first?.click();
      if (event.key === "ArrowDown") {
        event.preventDefault();
        first?.focus();
      }
    },
  });
  list.addEventListener("keydown", (event) => moveFocus(event, list, filter));
  draw();
  return {
    elements: [h("div", { class: "filter" }, filter), found, list],
    mark: (hash) => {
      current = hash;
      markCurrent(list, hash);
    },
    focusFilter: () => {
      filter.focus();
      filter.select();
    },
  };
}

/**
 * Finds the methods for which each word of a text occurs in the names of the
 * host, service or method, in the path, or in the docs.
 */
export function filterEntries(
  entries: readonly Entry[],
  text: string,
): readonly Entry[] {
  const matches = createMatch(text);
  return entries.filter(({ host, method, service }) => {
    const texts = [
      host.name,
      service.name,
      method.name,
      method.route.path,
      method.docs,
    ];
    return matches(texts.join(" "));
  });
}

function filterTypes({ data }: Model, text: string): readonly TypeData[] {
  const matches = createMatch(text);
  return data.types.filter(({ name }) => matches(name));
}

/**
 * Returns a function that checks whether text contains all words of another.
 */
function createMatch(wanted: string): (text: string) => boolean {
  const words = wanted.toLowerCase().split(/\s+/u).filter(Boolean);
  return (text) => {
    const all = text.toLowerCase();
    return words.every((word) => all.includes(word));
  };
}

/** Lists the pages that do not belong to a method or a model. */
function pagesView(): Child {
  const pages = [
    ["#", "Overview"],
    ["#models", "Models"],
    ["#errors", "Errors"],
    ["#history", "History"],
  ] as const;
  return h(
    "ul",
    {},
    pages.map(([href, text]) => h("li", {}, h("a", { href }, text))),
  );
}

function typesView(types: readonly TypeData[]): Child {
  if (types.length === 0) return null;
  return [
    h("p", { class: "service", id: "nav-models" }, "Models"),
    h(
      "ul",
      { "aria-labelledby": "nav-models" },
      types.map(({ name }) =>
        h("li", {}, h("a", { href: linkToType(name) }, breakable(name))),
      ),
    ),
  ];
}

function listView({ data }: Model, entries: readonly Entry[]): Child {
  return [
    data.hosts.flatMap((host) =>
      host.services.map((service, index) => {
        const own = entries.filter((entry) => entry.service === service);
        if (own.length === 0) return null;
        const id = `nav-${data.hosts.indexOf(host)}-${index}`;
        const isSame = host.name.toLowerCase() === service.name.toLowerCase();
        return [
          h(
            "p",
            { class: "service", id },
            service.name,
            " ",
            !isSame && h("span", { class: "quiet" }, host.name),
          ),
          h("ul", { "aria-labelledby": id }, own.map(itemView)),
        ];
      }),
    ),
  ];
}

function itemView(entry: Entry): Child {
  const { deprecated, name, route } = entry.method;
  const tag = { rest: verbOf(route), rpc: null, webhook: "webhook" }[
    route.kind
  ];
  return h(
    "li",
    {},
    h(
      "a",
      { href: linkTo(entry), class: deprecated === undefined ? "" : "old" },
      h("span", {}, breakable(name)),
      " ",
      tag === null ? null : h("span", { class: "tag" }, tag),
    ),
  );
}

/** Allows a long name to break between its words. */
function breakable(name: string): Child {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])/u)
    .map((word, index) => (index === 0 ? word : [h("wbr"), word]));
}

function markCurrent(list: HTMLElement, hash: string): void {
  for (const link of list.querySelectorAll("a")) {
    const isCurrent = link.getAttribute("href") === (hash === "" ? "#" : hash);
    if (isCurrent) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

/** Moves the focus in the list with the arrow keys. */
function moveFocus(
  event: KeyboardEvent,
  list: HTMLElement,
  filter: HTMLElement,
): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...list.querySelectorAll<HTMLElement>("a")];
  const index = links.findIndex((link) => link === document.activeElement);
  event.preventDefault();
  (index + step < 0 ? filter : links[index + step])?.focus();
}
