import type { ConnectionStore } from "../calls/connection-store.js";
import { copyButton } from "./copy-button.js";
import { printCurl } from "../calls/curl.js";
import { h, type Ids } from "./element.js";
import type { JsonNode } from "../calls/json-text.js";
import type { Entry, Model } from "../calls/model.js";
import type { CallRequest } from "../calls/request.js";
import { printTypeScript } from "../calls/typescript-call.js";

/** What snippets need of their page. */
export interface SnippetScope {
  readonly model: Model;
  readonly ids: Ids;
  readonly connection: ConnectionStore;
}

/** Snippets that follow a form. */
export interface Snippets {
  readonly element: HTMLElement;
  readonly update: (message: JsonNode, request: CallRequest) => void;
}

/** The same call as a command and through the generated client. */
export function snippetsView(
  { connection, ids, model }: SnippetScope,
  entry: Entry,
  onChange: () => void,
): Snippets {
  const curl = h("code");
  const typescript = h("code");
  const isWebhook = entry.method.route.kind === "webhook";
  const id = ids();
  const showsKeys = h("input", {
    type: "checkbox",
    id,
    onchange: () => {
      connection.showsKeys = showsKeys.checked;
      onChange();
    },
  });
  showsKeys.checked = connection.showsKeys;
  const hasKeys = model.credentialsOf(entry.method).length > 0;
  const element = h(
    "section",
    { class: "snippets", "aria-labelledby": "code" },
    h("h2", { id: "code" }, "The same as code"),
    codeBox("curl", curl),
    codeBox(
      isWebhook
        ? "TypeScript, the receiver"
        : "TypeScript, the generated client",
      typescript,
    ),
    hasKeys &&
      h(
        "div",
        { class: "check" },
        showsKeys,
        h("label", { for: id }, "Write the keys out"),
      ),
  );
  return {
    element,
    update: (message, request) => {
      curl.textContent = printCurl(request, {
        isStream: entry.method.response?.isStream === true,
        showsKeys: connection.showsKeys,
      });
      typescript.textContent = printTypeScript({
        model,
        entry,
        message,
        request,
        connection,
        showsKeys: connection.showsKeys,
      });
    },
  };
}

function codeBox(title: string, code: HTMLElement): HTMLElement {
  return h(
    "div",
    { class: "code-box" },
    h("h3", {}, title),
    copyButton(title, () => code.textContent ?? ""),
    h("pre", { tabindex: "0", role: "region", "aria-label": title }, code),
  );
}
