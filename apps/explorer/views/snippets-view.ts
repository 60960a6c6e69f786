import type { ConnectionStore } from "../calls/connection-store.js";
import { copyButton } from "./copy-button.js";
import { printCurl } from "../calls/curl.js";
import { checkBox, h, type Ids } from "./element.js";
import { printFetch } from "../calls/fetch-call.js";
import { printGo } from "../calls/go-call.js";
import type { JsonNode } from "../calls/json-text.js";
import type { Entry, Model } from "../calls/model.js";
import type { CallRequest } from "../calls/request.js";
import { printPython } from "../calls/python-call.js";
import {
  answerKindOf,
  planCall,
  type SnippetInput,
} from "../calls/snippet-request.js";
import { printTypeScript } from "../calls/typescript-call.js";

/** The context of snippets. */
export interface SnippetScope {
  readonly model: Model;
  readonly ids: Ids;
  readonly connection: ConnectionStore;
}

/** Snippets that are updated with a form. */
export interface Snippets {
  readonly element: HTMLElement;
  readonly update: (message: JsonNode, request: CallRequest) => void;
}

/** A language of snippets. */
interface Language {
  readonly name: string;
  readonly print: (input: SnippetInput) => string;
}

const curl: Language = {
  name: "curl",
  print: ({ entry, model, request, showsKeys }) =>
    printCurl(request, { answer: answerKindOf(model, entry), showsKeys }),
};

/** Only TypeScript uses the generated client. */
const languages: readonly Language[] = [
  curl,
  { name: "TypeScript", print: printTypeScript },
  { name: "fetch", print: (input) => printFetch(planCall(input)) },
  { name: "Python", print: (input) => printPython(planCall(input)) },
  { name: "Go", print: (input) => printGo(planCall(input)) },
];

/** Shows the call in one of several languages. */
export function snippetsView(
  { connection, ids, model }: SnippetScope,
  entry: Entry,
  onChange: () => void,
): Snippets {
  const code = h("code");
  const box = h("pre", { tabindex: "0", role: "region" }, code);
  const chosen = (): Language =>
    languages.find(({ name }) => name === connection.language) ?? curl;
  const group = ids();
  const choices = languages.map(({ name }) => {
    const input = h("input", {
      type: "radio",
      name: group,
      value: name,
      onchange: () => {
        connection.language = name;
        connection.save();
        onChange();
      },
    });
    input.checked = name === chosen().name;
    return h("label", {}, input, h("span", {}, name));
  });
  const element = h(
    "section",
    { class: "snippets", "aria-labelledby": "code" },
    h("h2", { id: "code" }, "Code for this call"),
    h(
      "fieldset",
      { class: "languages" },
      h("legend", { class: "unseen" }, "Language"),
      choices,
    ),
    h(
      "div",
      { class: "code-box" },
      copyButton("the code", () => code.textContent ?? ""),
      box,
    ),
    model.credentialsOf(entry.method).length > 0 &&
      checkBox(
        ids,
        "Include the values of keys",
        connection.showsKeys,
        (isShown) => {
          connection.showsKeys = isShown;
          onChange();
        },
      ),
  );
  return {
    element,
    update: (message, request) => {
      const { name, print } = chosen();
      const { showsKeys } = connection;
      box.setAttribute("aria-label", name);
      code.textContent = print({
        model,
        entry,
        message,
        request,
        connection,
        showsKeys,
      });
    },
  };
}
