import type { CredentialData } from "../../../generator/4-emit/docs/explorer-data.js";
import type { ConnectionStore } from "../calls/connection-store.js";
import { button, checkBox, type Child, h, type Ids } from "./element.js";
import type { Entry, Model } from "../calls/model.js";
import { addressKey, isBasic, parametersOf } from "../calls/request.js";
import { inline } from "./text-view.js";

/** The context for the connection of a method. */
export interface ConnectionScope {
  readonly model: Model;
  readonly ids: Ids;
  readonly connection: ConnectionStore;
  /** Called after every change. */
  readonly onChange: () => void;
}

/** Shows the address, parameters and keys that all methods of a host share. */
export function connectionView(
  scope: ConnectionScope,
  entry: Entry,
): HTMLElement {
  const { connection } = scope;
  const { method } = entry;
  const key = addressKey(entry);
  const isWebhook = method.route.kind === "webhook";
  const parameters = h("div", { class: "rows" });
  const drawParameters = (): void => {
    const names = parametersOf(entry, connection);
    if (names.join() === drawn) return;
    drawn = names.join();
    parameters.replaceChildren(
      ...names.map((name) => parameterRow(scope, name)),
    );
  };
  let drawn = "";
  drawParameters();
  return h(
    "fieldset",
    { class: "connection" },
    h("legend", {}, "Connection"),
    row(
      scope,
      isWebhook ? "Receiver address" : "Base address",
      connection.addresses.get(key) ?? "",
      { type: "url", placeholder: "https://…" },
      (value) => {
        connection.addresses.set(key, value);
        drawParameters();
      },
    ),
    parameters,
    scope.model
      .credentialsOf(method)
      .map((credential) =>
        credentialView(scope, credential, inline(credential.docs ?? "")),
      ),
    keepRow(scope),
  );
}

/** Shows an input for a key, which is sent to all methods that accept it. */
export function credentialView(
  scope: ConnectionScope,
  credential: CredentialData,
  about: Child,
): HTMLElement {
  const { credentials } = scope.connection;
  const { header, name, place, scheme } = credential;
  return row(
    scope,
    header,
    credentials.get(header) ?? "",
    { type: "password", placeholder: isBasic(scheme) ? "user:password" : name },
    (value) => credentials.set(header, value),
    [
      scheme === undefined ? null : `The prefix ${scheme} is added. `,
      place === "cookie"
        ? "The browser sends its own cookie. This value is for code. "
        : null,
      about,
    ],
  );
}

function parameterRow(scope: ConnectionScope, name: string): HTMLElement {
  const { parameters } = scope.connection;
  return row(scope, name, parameters.get(name) ?? "", {}, (value) =>
    parameters.set(name, value),
  );
}

function row(
  { connection, ids, onChange }: ConnectionScope,
  label: string,
  value: string,
  attributes: Readonly<Record<string, string>>,
  set: (value: string) => void,
  about: Child = null,
): HTMLElement {
  const id = ids();
  const isPassword = attributes["type"] === "password";
  const input = h("input", {
    id,
    autocomplete: "off",
    spellcheck: "false",
    ...attributes,
    "aria-describedby": about === null ? undefined : `${id}-about`,
    oninput: () => {
      set(input.value);
      connection.save();
      onChange();
    },
  });
  input.value = value;
  return h(
    "div",
    { class: "field" },
    h(
      "label",
      { for: id, class: "label-line" },
      h("span", { class: "label" }, label),
    ),
    isPassword
      ? h("div", { class: "secret" }, input, showButton(input, label))
      : input,
    about === null
      ? null
      : h("p", { class: "about", id: `${id}-about` }, about),
  );
}

function showButton(input: HTMLInputElement, label: string): Child {
  const show = button(
    "Show",
    () => {
      const isShown = input.type === "text";
      input.type = isShown ? "password" : "text";
      show.setAttribute("aria-pressed", String(!isShown));
    },
    { class: "small", "aria-pressed": "false", "aria-label": `Show ${label}` },
  );
  return show;
}

/** Shows the option to keep these values. */
export function keepRow({ connection, ids }: ConnectionScope): Child {
  return checkBox(
    ids,
    "Remember keys and addresses until this tab is closed",
    connection.isKept,
    (isKept) => connection.keep(isKept),
  );
}
