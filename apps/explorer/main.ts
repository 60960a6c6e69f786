import type { ExplorerData } from "../../generator/4-emit/docs/explorer-data.js";
import { CallHistory } from "./calls/call-history.js";
import { ConnectionStore } from "./calls/connection-store.js";
import { FormStore } from "./calls/form-store.js";
import { button, createIds, fill, h } from "./views/element.js";
import { historyView } from "./views/history-view.js";
import { methodView } from "./views/method-view.js";
import { modelsView, modelView } from "./views/models-view.js";
import { createModel, type Model } from "./calls/model.js";
import { readValues } from "./calls/page-values.js";
import { openPageStorage } from "./calls/page-storage.js";
import { readLink } from "./calls/shared-message.js";
import { createNavigation } from "./views/navigation.js";
import { errorsView, overviewView } from "./views/overview.js";
import { openWhilePrinted } from "./views/print.js";
import { themeView } from "./views/theme.js";
import type { ConsoleScope } from "./views/console-view.js";

/** Starts the page. */
function start(): void {
  const text = find("contract").textContent ?? "";
  // The `docs` emitter wrote this text.
  const data = JSON.parse(text) as ExplorerData;
  const model = createModel(data);
  const values = readValues(
    document.getElementById("values")?.textContent ?? "{}",
  );
  const storage = openPageStorage(
    data,
    location.pathname,
    () => sessionStorage,
  );
  const scope: ConsoleScope = {
    model,
    ids: createIds(),
    connection: new ConnectionStore(data, location, storage),
    history: new CallHistory(storage),
    forms: new FormStore(model, values, storage),
    repeated: null,
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
    const hash = openLink(scope);
    for (const call of scope.running) call.abort();
    fill(find("main"), pageFor(scope, hash));
    navigation.mark(hash);
    closeMenu(side, menu);
    const heading = document.querySelector<HTMLElement>("h1");
    document.title = titleFor(data, heading?.textContent ?? "");
    if (isFirst) return;
    window.scrollTo(0, 0);
    // Screen readers announce the new page.
    heading?.focus({ preventScroll: true });
  };
  window.addEventListener("pagehide", () => scope.forms.save());
  window.addEventListener("hashchange", () => show(false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeMenu(side, menu);
    // A single letter would interfere with voice control.
    const isFilter = event.key === "k" && (event.ctrlKey || event.metaKey);
    if (!isFilter) return;
    event.preventDefault();
    openMenu(side, menu);
    navigation.focusFilter();
  });
  openWhilePrinted(find("main"));
  show(true);
}

function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element;
}

/**
 * Fills in the form with the values in the address and removes them from the
 * address, because the user can edit the form afterwards. Returns the fragment
 * of the address without values.
 */
function openLink({ forms, model }: ConsoleScope): string {
  const [hash = ""] = location.hash.split("?");
  const { id, json } = readLink(location.hash);
  if (json === null) return hash;
  const entry = model.find(id);
  if (entry !== null) forms.fillIn(entry, json);
  history.replaceState(null, "", hash);
  return hash;
}

function pageFor(scope: ConsoleScope, hash: string): HTMLElement {
  const { model } = scope;
  const { id } = readLink(hash);
  const entry = model.find(id);
  if (entry !== null) return methodView(scope, entry);
  const type = id.startsWith("models/") ? model.type(id.slice(7)) : null;
  if (type !== null) return modelView(model, type);
  switch (id) {
    case "":
      return overviewView({ ...scope, onChange: () => {} });
    case "models":
      return modelsView(model);
    case "errors":
      return errorsView(model);
    case "history":
      return historyView(scope.history, (call) => {
        scope.repeated = call;
        location.hash = call.link;
      });
    default:
      return unknownView(model, id);
  }
}

function unknownView(model: Model, id: string): HTMLElement {
  return h(
    "article",
    { class: "page" },
    h("h1", { tabindex: "-1" }, "Not found"),
    h("p", {}, "This contract has no ", h("code", {}, id), "."),
    h("p", {}, h("a", { href: "#" }, `Overview of ${model.data.title}`)),
  );
}

function titleFor({ title }: ExplorerData, heading: string): string {
  return heading === title ? title : `${heading} – ${title}`;
}

/** Creates the button that opens the list of methods on narrow screens. */
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
