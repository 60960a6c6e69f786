import type { ErrorData } from "../../../generator/4-emit/docs/explorer-data.js";
import { consoleView, type ConsoleScope } from "./console-view.js";
import { button, type Child, h, spaced } from "./element.js";
import type { Entry, MethodData, Model } from "../calls/model.js";
import { verbOf } from "../calls/request.js";
import { messageView } from "./shape-view.js";
import { inline, paragraphs } from "./text-view.js";
import { errorDataView } from "./type-view.js";

/** Shows a method and a form that calls it. */
export function methodView(scope: ConsoleScope, entry: Entry): HTMLElement {
  const { host, method, service } = entry;
  const { model } = scope;
  return h(
    "div",
    { class: "method" },
    h(
      "article",
      { class: "about-method" },
      h("p", { class: "path" }, `${host.name} › ${service.name}`),
      h("h1", { tabindex: "-1" }, method.name),
      routeView(entry),
      tryButton(),
      method.deprecated === undefined
        ? null
        : h(
            "p",
            { class: "note" },
            h("strong", {}, "Deprecated. "),
            inline(method.deprecated),
          ),
      h("div", { class: "docs" }, paragraphs(method.docs)),
      factsView(model, method),
      h("h2", {}, "Request"),
      messageView(model, method.request),
      h("h2", {}, method.response?.isStream ? "Streamed response" : "Response"),
      bodyNote(method),
      messageView(model, method.response),
      h("h2", {}, "Errors"),
      errorsOf(model, method),
    ),
    consoleView(scope, entry),
  );
}

/**
 * Creates a button that jumps to the form, which is far below on narrow
 * screens.
 */
function tryButton(): Child {
  return button("Try it", () => document.getElementById("try")?.focus(), {
    class: "try",
  });
}

function routeView({ method }: Entry): Child {
  const { route } = method;
  const { kind, path, target } = route;
  return h(
    "p",
    { class: "route" },
    h("span", { class: "verb" }, verbOf(route)),
    h(
      "code",
      {},
      kind === "webhook" ? "the receiver's address" : (target ?? path ?? ""),
    ),
  );
}

const safeties = {
  readonly: "Read-only.",
  idempotent: "Idempotent: repeating the call has no further effect.",
};

function factsView(model: Model, method: MethodData): Child {
  const credentials = model.credentialsOf(method);
  const isWebhook = method.route.kind === "webhook";
  const facts: (readonly [string, Child])[] = [
    [
      "Effect",
      method.idempotencyKey !== undefined
        ? "May change data. A repeated call with the same key has no further effect."
        : method.safety === undefined
          ? "May change data. Repeating the call can repeat the effect."
          : safeties[method.safety],
    ],
    ...(method.resume
      ? [
          [
            "Cursor",
            `After a lost connection, ${method.resume.argument} is the ${method.resume.cursor.join(".")} of the last item.`,
          ] as const,
        ]
      : []),
    [
      "Keys",
      credentials.length === 0
        ? isWebhook
          ? "None. Calls are signed if the sender has a secret."
          : "None."
        : [
            method.alternatives
              ? `${method.alternatives.map((keys) => keys.join(" and ") || "no key").join(", or ")}: `
              : null,
            ...credentials.map(({ header, scheme }, index) => [
              index === 0 ? null : method.alternatives ? ", " : " and ",
              h(
                "code",
                {},
                scheme === undefined ? header : `${header}: ${scheme}`,
              ),
            ]),
          ],
    ],
  ];
  return h(
    "dl",
    { class: "facts" },
    facts.map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]),
  );
}

function bodyNote({ route }: MethodData): Child {
  if (route.statuses !== undefined) {
    const bodies = route.statuses.map(({ body, status }, index) => [
      index === 0 ? null : ", ",
      `${status}: `,
      body === null ? "empty" : h("code", {}, body),
    ]);
    return h("p", { class: "quiet" }, "The body by status: ", bodies, ".");
  }
  if (route.body === undefined) return null;
  return h(
    "p",
    { class: "quiet" },
    "The body is the value of ",
    h("code", {}, route.body),
    ".",
  );
}

function errorsOf(model: Model, { errors }: MethodData): Child {
  if (errors === undefined) {
    const all = model.data.errors.filter(({ code }) => code > 0);
    const summary = `Any error of the contract (${all.length})`;
    return [
      all.length > 0 &&
        h("details", {}, h("summary", {}, summary), errorList(all)),
      builtInErrors(),
    ];
  }
  const declared = errors.flatMap((name) => model.error(name) ?? []);
  return [errorList(declared), builtInErrors()];
}

function errorList(errors: readonly ErrorData[]): Child {
  return h(
    "ul",
    { class: "fields" },
    errors.map((error) =>
      h(
        "li",
        {},
        h(
          "div",
          { class: "field-head" },
          spaced(
            h("code", { class: "name" }, error.name),
            h("span", { class: "type" }, `${error.code}, HTTP ${error.status}`),
          ),
        ),
        paragraphs(error.docs),
        errorDataView(error),
      ),
    ),
  );
}

function builtInErrors(): Child {
  return h(
    "p",
    { class: "quiet" },
    "The method can return any ",
    h("a", { href: "#errors" }, "built-in error"),
    ".",
  );
}
