import type {
  ErrorData,
  HostData,
  ServiceData,
} from "../../../generator/4-emit/docs/explorer-data.js";
import {
  type ConnectionScope,
  credentialView,
  keepRow,
} from "./connection-view.js";
import { type Child, h } from "./element.js";
import type { Entry, Model } from "../calls/model.js";
import { firstSentence, inline, paragraphs } from "./text-view.js";
import { errorDataView } from "./type-view.js";

/** Returns a link to a method on this page. */
export function linkTo({ id }: Entry): string {
  return `#${encodeURIComponent(id)}`;
}

/** Shows all hosts, services and methods. */
export function overviewView(scope: ConnectionScope): HTMLElement {
  const { model } = scope;
  const { data } = model;
  return h(
    "article",
    { class: "page" },
    h("h1", { tabindex: "-1" }, data.title),
    h(
      "p",
      { class: "lead" },
      `${count(data.hosts.length, "host")}, ${count(model.entries.length, "method")}, `,
      h("a", { href: "#models" }, count(data.types.length, "model")),
      ".",
      model.entries.length > 0 &&
        " Choose a method to read its documentation and call it.",
    ),
    downloadsView(),
    credentialsView(scope),
    data.hosts.map((host) => hostView(model, host)),
  );
}

/** Shows links to downloads of the contract. */
function downloadsView(): Child {
  const links = [
    ...document.querySelectorAll<HTMLLinkElement>("link[rel=alternate]"),
  ];
  if (links.length === 0) return null;
  return h(
    "p",
    { class: "downloads" },
    "Download:",
    links.map(({ href, title }) => h("a", { href, download: true }, title)),
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function hostView(model: Model, host: HostData): Child {
  const version = host.version === undefined ? "" : `version ${host.version}`;
  return h(
    "section",
    {},
    h("h2", {}, host.name, h("span", { class: "quiet" }, version)),
    paragraphs(host.docs),
    host.services.map((service) => serviceView(model, service)),
  );
}

function serviceView(model: Model, service: ServiceData): Child {
  const entries = model.entries.filter((entry) => entry.service === service);
  return [
    h("h3", {}, service.name),
    paragraphs(service.docs),
    h(
      "ul",
      { class: "methods" },
      entries.map((entry) =>
        h(
          "li",
          {},
          h(
            "a",
            {
              href: linkTo(entry),
              class: entry.method.deprecated === undefined ? "" : "old",
            },
            entry.method.name,
          ),
          h("span", {}, inline(firstSentence(entry.method.docs))),
        ),
      ),
    ),
  ];
}

/** Shows inputs for keys, which apply to all hosts. */
function credentialsView(scope: ConnectionScope): Child {
  const { data } = scope.model;
  if (data.credentials.length === 0) return null;
  return h(
    "section",
    {},
    h("h2", {}, "Keys"),
    h(
      "p",
      {},
      "Keys that you enter here are only sent to methods that require them, on all hosts.",
    ),
    h(
      "div",
      { class: "connection keys" },
      data.credentials.map((credential) =>
        credentialView(scope, credential, [
          inline(credential.docs ?? ""),
          " Error if missing or rejected: ",
          h("a", { href: "#errors" }, credential.error),
        ]),
      ),
      keepRow(scope),
    ),
  );
}

/** Shows tables of all errors. */
export function errorsView({ data }: Model): HTMLElement {
  const declared = data.errors.filter(({ code }) => code > 0);
  const builtIn = data.errors.filter(({ code }) => code <= 0);
  return h(
    "article",
    { class: "page" },
    h("h1", { tabindex: "-1" }, "Errors"),
    h(
      "p",
      { class: "lead" },
      "Every error response is JSON with ",
      ["error", "code", "msg", "status"].map((name, index) => [
        index === 0 ? null : ", ",
        h("code", {}, name),
      ]),
      " and sometimes ",
      h("code", {}, "cause"),
      ".",
    ),
    declared.length > 0 && [
      h("h2", {}, "Contract errors"),
      errorTable(declared, "Contract errors"),
    ],
    h("h2", {}, "Built-in errors"),
    errorTable(builtIn, "Built-in errors"),
  );
}

function errorTable(errors: readonly ErrorData[], label: string): Child {
  return h(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Error", "Code", "HTTP", "Meaning"].map((text) =>
            h("th", { scope: "col" }, text),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        errors.map((error) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, h("code", {}, error.name)),
            h("td", { class: "number" }, String(error.code)),
            h("td", { class: "number" }, String(error.status)),
            h(
              "td",
              {},
              error.message,
              h("div", { class: "quiet" }, inline(error.docs ?? "")),
              errorDataView(error),
            ),
          ),
        ),
      ),
    ),
  );
}
