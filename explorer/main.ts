import type { ExplorerData } from "../generator/4-emit/docs/explorer-data.js";
import { ConnectionStore } from "./calls/connection-store.js";
import { button, createIds, fill, h } from "./views/element.js";
import { methodView } from "./views/method-view.js";
import { createModel, type Model } from "./calls/model.js";
import { createNavigation } from "./views/navigation.js";
import { errorsView, overviewView } from "./views/overview.js";
import { themeView } from "./views/theme.js";
import type { ConsoleScope } from "./views/console-view.js";

/** Brings the page to life. */
function start(): void {
  const text = find("contract").textContent ?? "";
  // Our own emitter wrote it.
  const data = JSON.parse(text) as ExplorerData;
  const model = createModel(data);
  const scope: ConsoleScope = {
    model,
    ids: createIds(),
    connection: new ConnectionStore(data, location, tabStorage()),
    memory: new Map(),
    running: new Set(),
  };
  const navigation = createNavigation(model);
  const side = find("side");
  const menu = menuButton(side);
  fill(
    find("bar"),
    menu,
    h("a", { class: "home", href: "#" }, data.title),
    themeView(),
  );
  fill(side, navigation.elements);
  const show = (isFirst: boolean): void => {
    const { hash } = location;
    for (const call of scope.running) call.abort();
    fill(find("main"), pageFor(scope, hash));
    navigation.mark(hash);
    closeMenu(side, menu);
    const heading = document.querySelector<HTMLElement>("h1");
    document.title = titleFor(data, heading?.textContent ?? "");
    if (isFirst) return;
    window.scrollTo(0, 0);
    // Screen readers say where they are.
    heading?.focus({ preventScroll: true });
  };
  window.addEventListener("hashchange", () => show(false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeMenu(side, menu);
    // A single letter would be in the way of those who dictate.
    const isFilter = event.key === "k" && (event.ctrlKey || event.metaKey);
    if (!isFilter) return;
    event.preventDefault();
    openMenu(side, menu);
    navigation.focusFilter();
  });
  show(true);
}

function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element;
}

/** Storage of the tab; null where the browser forbids it. */
function tabStorage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

function pageFor(scope: ConsoleScope, hash: string): HTMLElement {
  const id = decode(hash.slice(1));
  const entry = scope.model.find(id);
  if (entry !== null) return methodView(scope, entry);
  if (id === "errors") return errorsView(scope.model);
  return id === "" ? overviewView(scope.model) : unknownView(scope.model, id);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unknownView(model: Model, id: string): HTMLElement {
  return h(
    "article",
    { class: "page" },
    h("h1", { tabindex: "-1" }, "Not here"),
    h("p", {}, "This contract has no method ", h("code", {}, id), "."),
    h("p", {}, h("a", { href: "#" }, `All of ${model.data.title}`)),
  );
}

function titleFor({ title }: ExplorerData, heading: string): string {
  return heading === title ? title : `${heading} – ${title}`;
}

/** On narrow screens the list of methods is behind a button. */
function menuButton(side: HTMLElement): HTMLButtonElement {
  const menu = button(
    "Methods",
    () => {
      if (side.classList.contains("open")) closeMenu(side, menu);
      else openMenu(side, menu);
    },
    { class: "menu", "aria-expanded": "false", "aria-controls": "side" },
  );
  return menu;
}

function openMenu(side: HTMLElement, menu: HTMLElement): void {
  side.classList.add("open");
  menu.setAttribute("aria-expanded", "true");
}

function closeMenu(side: HTMLElement, menu: HTMLElement): void {
  side.classList.remove("open");
  menu.setAttribute("aria-expanded", "false");
}

start();
