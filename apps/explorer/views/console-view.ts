import type { ConnectionStore } from "../calls/connection-store.js";
import { connectionView } from "./connection-view.js";
import { filesOf } from "../calls/draft.js";
import type { CallHistory, PastCall } from "../calls/call-history.js";
import { copyButton } from "./copy-button.js";
import { fieldsToJson } from "../calls/draft-json.js";
import { jsonView, type OutcomeView, outcomeView } from "./answer-view.js";
import { button, fill, h, type Ids } from "./element.js";
import type { FormStore } from "../calls/form-store.js";
import { fieldsView, type FormScope, showViolations } from "./form-view.js";
import {
  type JsonNode,
  parseJson,
  printJson,
  printPieces,
  readJson,
} from "../calls/json-text.js";
import { createLiveLines } from "./live-lines.js";
import { nextRequest } from "../calls/next-page.js";
import type { Entry, Model } from "../calls/model.js";
import { type CallRequest, createRequest } from "../calls/request.js";
import { type CallOutcome, sendCall } from "../calls/send.js";
import {
  type FormContent,
  isWhole,
  linkWithMessage,
  messageOf,
  readContent,
} from "../calls/shared-message.js";
import { readViolations } from "../calls/violations.js";
import { snippetsView } from "./snippets-view.js";

/** The context that all consoles of the page share. */
export interface ConsoleScope {
  readonly model: Model;
  readonly ids: Ids;
  readonly connection: ConnectionStore;
  readonly history: CallHistory;
  readonly forms: FormStore;
  /** The call to send again as soon as its method is shown. */
  repeated: PastCall | null;
  /** Running calls, which are aborted when the user leaves their page. */
  readonly running: Set<AbortController>;
}

/** Shows the form that calls a method, the response, and the call as code. */
export function consoleView(scope: ConsoleScope, entry: Entry): HTMLElement {
  return new Console(scope, entry).element;
}

const partialText =
  "Not sent: add what is not stored, such as secrets and files.";

class Console {
  readonly element: HTMLElement;
  readonly #scope: ConsoleScope;
  readonly #entry: Entry;
  readonly #memory: FormContent;
  readonly #message = h("div", { class: "message" });
  readonly #outcome = h("div", { class: "outcome-place" });
  readonly #spoken = h("p", { class: "unseen", role: "status" });
  readonly #problems = h("p", { class: "advice", role: "alert" });
  readonly #send = h("button", { type: "submit", class: "main-action" });
  readonly #abort: HTMLButtonElement;
  readonly #snippets: ReturnType<typeof snippetsView>;
  #form: HTMLFormElement | null = null;
  /** The fields that are shown, or null in the JSON editor. */
  #formScope: FormScope | null = null;
  #hideViolations = (): void => {};
  /** The request whose response is shown, or null if there is none. */
  #answered: string | null = null;
  #running: AbortController | null = null;

  constructor(scope: ConsoleScope, entry: Entry) {
    this.#scope = scope;
    this.#entry = entry;
    this.#memory = scope.forms.of(entry);
    const onChange = (): void => this.#update();
    this.#abort = button("Abort", () => this.#running?.abort(), {
      hidden: true,
    });
    this.#snippets = snippetsView(scope, entry, onChange);
    this.#send.textContent = "Send";
    // Keep the focus on mousedown: advice that appears when a field loses it
    // could move the button away before the click completes.
    this.#send.addEventListener("mousedown", (event) => event.preventDefault());
    this.element = this.#layOut(onChange);
    this.#drawMessage();
    this.#showExample();
    this.#repeat();
  }

  /** Sends a call of the history again, unless a part of it was not stored. */
  #repeat(): void {
    const { repeated } = this.#scope;
    if (repeated?.id !== this.#entry.id) return;
    this.#scope.repeated = null;
    if (!repeated.isPartial) void this.#run();
    else this.#problems.textContent = partialText;
  }

  #layOut(onChange: () => void): HTMLElement {
    const { connection, ids, model } = this.#scope;
    const onKey = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || event.key !== "Enter") return;
      if (event.ctrlKey || event.metaKey) this.#form?.requestSubmit();
    };
    this.#form = h(
      "form",
      {
        "aria-label": `Call ${this.#entry.method.name}`,
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          void this.#run();
        },
        onkeydown: onKey,
      },
      connectionView({ connection, ids, model, onChange }, this.#entry),
      this.#message,
      this.#problems,
      h("div", { class: "send" }, this.#send, this.#abort, this.#copyLink()),
    );
    return h(
      "section",
      { class: "console", "aria-labelledby": "try" },
      h("h2", { id: "try", tabindex: "-1" }, "Try it"),
      this.#form,
      this.#spoken,
      this.#outcome,
      this.#snippets.element,
    );
  }

  /**
   * Creates a button that copies a link with the values of the form, except
   * secrets.
   */
  #copyLink(): HTMLElement {
    const textOf = (): string => {
      const { model } = this.#scope;
      const message = messageOf(model, this.#memory);
      const { href } = window.location;
      const [page = ""] = href.split("#");
      return message === null
        ? href
        : page + linkWithMessage(model, this.#entry, message);
    };
    return copyButton("link with these values", textOf, "Copy link");
  }

  /** Shows an example until there is a response. */
  #showExample(): void {
    const { example = "", isStream } = this.#entry.method.response ?? {};
    const node = readJson(example);
    if (node === null) return;
    const title = isStream ? "Example item" : "Example response";
    fill(
      this.#outcome,
      h(
        "div",
        { class: "code-box" },
        h("h3", {}, title),
        h(
          "pre",
          {
            class: "example",
            tabindex: "0",
            role: "region",
            "aria-label": title,
          },
          jsonView(printPieces(node)),
        ),
      ),
    );
  }

  /** Shows the form or the JSON editor. */
  #drawMessage(): void {
    const { json } = this.#memory;
    const isJson = json !== null;
    this.#formScope = null;
    const other = button(
      isJson ? "Edit as a form" : "Edit as JSON",
      () => this.#toggle(),
      { class: "small" },
    );
    fill(
      this.#message,
      h(
        "fieldset",
        { class: "request" },
        h("legend", {}, "Request"),
        h("div", { class: "actions" }, other),
        isJson ? this.#editor(json) : this.#fields(),
      ),
    );
    this.#update();
  }

  #fields(): readonly HTMLElement[] {
    const { ids, model } = this.#scope;
    const { fields } = this.#memory;
    if (fields.length === 0) {
      return [h("p", { class: "quiet" }, "No fields.")];
    }
    const onChange = (): void => this.#update();
    this.#formScope = { model, ids, onChange, places: new WeakMap() };
    return fieldsView(this.#formScope, fields);
  }

  #editor(text: string): HTMLElement {
    const id = this.#scope.ids();
    const area = h("textarea", {
      id,
      class: "json",
      rows: String(Math.min(Math.max(text.split("\n").length + 1, 6), 24)),
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => {
        this.#memory.json = area.value;
        this.#update();
      },
    });
    area.value = text;
    return h(
      "div",
      { class: "field" },
      h("label", { for: id, class: "label" }, "Request as JSON"),
      area,
    );
  }

  /** Switches between form and editor, and keeps the values. */
  #toggle(): void {
    const { model } = this.#scope;
    const { fields, json } = this.#memory;
    if (json === null) {
      this.#memory.json = printJson(fieldsToJson(model, fields));
    } else {
      if (this.#read() === null) return;
      const content = readContent(model, this.#entry, json, fields);
      if (content.json !== null) {
        this.#problems.textContent =
          "The form cannot show this JSON, because its fields or types differ from the contract.";
        return;
      }
      Object.assign(this.#memory, content);
    }
    this.#drawMessage();
    this.#message
      .querySelector<HTMLElement>("textarea, input, select, button")
      ?.focus();
  }

  /**
   * Returns the current message, or null if the editor contains invalid JSON.
   */
  #read(): JsonNode | null {
    const { fields, json } = this.#memory;
    if (json === null) return fieldsToJson(this.#scope.model, fields);
    const parsed = parseJson(json);
    this.#problems.textContent = parsed.isValid
      ? ""
      : `Invalid JSON: ${parsed.problem}`;
    return parsed.isValid ? parsed.node : null;
  }

  #request(message: JsonNode): CallRequest {
    const { connection, model } = this.#scope;
    const files = filesOf(this.#memory.fields);
    return createRequest(model, this.#entry, message, files, connection);
  }

  /** Updates the snippets after every change. */
  #update(): void {
    this.#problems.textContent = "";
    const message = this.#read();
    const request = message && this.#request(message);
    this.#dim(request);
    if (message === null || request === null) return;
    this.#snippets.update(message, request);
  }

  /** Dims the response if the form no longer shows its request. */
  #dim(request: CallRequest | null): void {
    const isOld =
      this.#answered !== null &&
      (request === null || this.#answered !== identify(request));
    this.#outcome.classList.toggle("old", isOld);
  }

  async #run(): Promise<void> {
    if (this.#running !== null) return;
    // Fields show advice when they lose focus, and the focused field has not
    // lost it yet.
    document.activeElement?.dispatchEvent(new FocusEvent("blur"));
    const message = this.#read();
    if (message === null) return;
    const request = this.#request(message);
    this.#problems.textContent = request.problems.join(" ");
    if (request.problems.length > 0) return;
    this.#hideViolations();
    const controller = new AbortController();
    this.#setRunning(controller);
    const lines = this.#entry.method.response?.isStream
      ? createLiveLines("Items so far")
      : null;
    if (lines !== null) fill(this.#outcome, lines.element);
    const { origin } = window.location;
    const outcome = await sendCall(request, {
      signal: controller.signal,
      origin,
      onLine: lines && lines.add,
    });
    const place = { origin, url: request.url };
    const { model } = this.#scope;
    const shown = await outcomeView(model, this.#entry, outcome, place);
    this.#setRunning(null);
    this.#remember(message, request, outcome, shown);
    // Users who abort a stream want to read the items that arrived.
    const isCut = outcome.kind === "failed" && lines !== null;
    const next = this.#nextPage(message, shown);
    fill(this.#outcome, next, shown.element, isCut && lines.element);
    this.#answered = identify(request);
    this.#update();
    this.#showViolations(shown);
    this.#spoken.textContent = shown.spoken;
  }

  /** Creates a button that sends the request for the next page, if any. */
  #nextPage(message: JsonNode, { json }: OutcomeView): HTMLElement | null {
    const { paging } = this.#entry.method;
    const request = paging && json && nextRequest(paging, message, json);
    if (!request) return null;
    return button("Next page", () => void this.#sendNext(request), {
      class: "next-page",
    });
  }

  async #sendNext(request: JsonNode): Promise<void> {
    if (this.#running !== null) return;
    const { model } = this.#scope;
    const { fields } = this.#memory;
    const json = printJson(request);
    Object.assign(this.#memory, readContent(model, this.#entry, json, fields));
    this.#drawMessage();
    await this.#run();
    // The button that had the focus has been replaced.
    if (document.activeElement !== document.body) return;
    (
      this.#outcome.querySelector<HTMLElement>(".next-page") ?? this.#send
    ).focus();
  }

  /** Shows at the fields what the server did not accept. */
  #showViolations({ cause }: OutcomeView): void {
    if (this.#formScope === null) return;
    this.#hideViolations = showViolations(
      this.#formScope,
      this.#memory.fields,
      readViolations(cause),
    );
  }

  #remember(
    message: JsonNode,
    { files }: CallRequest,
    outcome: CallOutcome,
    shown: OutcomeView,
  ): void {
    const { history, model } = this.#scope;
    const link = linkWithMessage(model, this.#entry, message);
    history.add({
      id: this.#entry.id,
      at: Date.now(),
      link,
      isPartial: files.length > 0 || !isWhole(link, message),
      result: shown.title,
      isOk: shown.isOk,
      milliseconds: outcome.milliseconds,
    });
  }

  #setRunning(controller: AbortController | null): void {
    const isRunning = controller !== null;
    const hadFocus = document.activeElement === this.#abort;
    if (this.#running !== null) this.#scope.running.delete(this.#running);
    if (controller !== null) this.#scope.running.add(controller);
    this.#running = controller;
    this.#send.textContent = isRunning ? "Sending…" : "Send";
    this.#send.setAttribute("aria-disabled", String(isRunning));
    this.#abort.hidden = !isRunning;
    if (isRunning) {
      this.#spoken.textContent = "Sending.";
      this.#outcome.setAttribute("aria-busy", "true");
    } else {
      this.#outcome.removeAttribute("aria-busy");
      // The abort button is hidden now, so move the focus.
      if (hadFocus) this.#send.focus();
    }
  }
}

/** Returns text that is equal for equal requests. */
function identify(request: CallRequest): string {
  return JSON.stringify(request, (_, value: unknown) =>
    value instanceof File
      ? [value.name, value.size, value.lastModified]
      : value,
  );
}
