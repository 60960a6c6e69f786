import type { ErrorData } from "../../../generator/4-emit/docs/explorer-data.js";
import { fileNameIn } from "../../../runtime/typescript/wire/disposition.js";
import type { BareError } from "../../../runtime/typescript/wire/bare-error.js";
import { copyButton } from "./copy-button.js";
import { type Child, h, spaced } from "./element.js";
import { explainFailure } from "../calls/failure-text.js";
import {
  type JsonNode,
  type Piece,
  printPieces,
  readJson,
} from "../calls/json-text.js";
import type { Entry, Model } from "../calls/model.js";
import {
  type ReceivedResponse,
  type CallOutcome,
  statusOf,
} from "../calls/send.js";
import { inline } from "./text-view.js";

/** The view of an outcome, with text for screen readers. */
export interface OutcomeView {
  readonly element: HTMLElement;
  readonly spoken: string;
  /** Short title, e.g. `200 OK`. */
  readonly title: string;
  readonly isOk: boolean;
  /** The cause of the error that the server responded with, or "". */
  readonly cause: string;
  /**
   * The JSON of a response without an error. Null if there is none, or if it is too
   * large to be read in time.
   */
  readonly json: JsonNode | null;
}

/**
 * Larger responses are shown without colors, because coloring them would take
 * too long.
 */
const maxColoured = 300_000;
/** Only the beginning of larger responses is shown, and they are not parsed. */
const maxShown = 2_000_000;
/** Longer texts of an error are complete only in the body below them. */
const maxErrorText = 20_000;

/**
 * Shows the outcome of a call. Input: its address, and the origin of the page.
 */
export async function outcomeView(
  model: Model,
  entry: Entry,
  outcome: CallOutcome,
  { origin, url }: { readonly origin: string; readonly url: string },
): Promise<OutcomeView> {
  if (outcome.kind === "answer") return answerView(model, entry, outcome);
  const { detail, reason } = outcome;
  const { help, title } = explainFailure(reason, url, origin, detail);
  const element = h(
    "div",
    { class: "outcome" },
    h(
      "p",
      { class: "status bad" },
      spaced(title, timeView(outcome.milliseconds)),
    ),
    h("p", {}, help),
  );
  const spoken = `${title}. ${help}`;
  return { element, spoken, title, isOk: false, cause: "", json: null };
}

async function answerView(
  model: Model,
  entry: Entry,
  answer: ReceivedResponse,
): Promise<OutcomeView> {
  const { error, response } = answer;
  const text = isText(answer) ? await answer.body.text() : null;
  const isOk = response.ok && error === null;
  const status = statusOf(response);
  const size = printSize(answer.body.size);
  const limit = entry.method.paging ? maxShown : maxColoured;
  const node = text !== null && text.length <= limit ? readJson(text) : null;
  const body = bodyView(answer, text, node);
  const element = h(
    "div",
    { class: "outcome" },
    h(
      "p",
      { class: isOk ? "status ok" : "status bad" },
      spaced(
        status,
        timeView(answer.milliseconds),
        h("span", { class: "quiet" }, size),
      ),
    ),
    ...(error === null
      ? [body]
      : [
          failureView(model, entry, error),
          h(
            "details",
            // Errors with data show it only there.
            { open: model.error(error.name)?.data !== undefined },
            h("summary", {}, "Response body"),
            body,
          ),
        ]),
    headersView([...response.headers]),
  );
  const what =
    error === null ? status : `${clip(error.name)}: ${clip(error.msg)}`;
  const spoken = `${what}. ${Math.round(answer.milliseconds)} milliseconds, ${size}.`;
  const cause = error === null ? "" : causeOf(error);
  const json = isOk ? node : null;
  return { element, spoken, title: status, isOk, cause, json };
}

function isText({ body: { type } }: ReceivedResponse): boolean {
  return /^$|json|^text\/|xml/u.test(type);
}

function timeView(milliseconds: number): Child {
  const text =
    milliseconds < 10
      ? milliseconds.toFixed(1)
      : String(Math.round(milliseconds));
  return h("span", { class: "quiet" }, `${text} ms`);
}

function printSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  return bytes < 1e6
    ? `${(bytes / 1000).toFixed(1)} kB`
    : `${(bytes / 1e6).toFixed(1)} MB`;
}

function causeOf({ cause }: BareError): string {
  return typeof cause === "string" ? clip(cause) : "";
}

function clip(text: string): string {
  return text.slice(0, maxErrorText);
}

function failureView(model: Model, { method }: Entry, error: BareError): Child {
  const cause = causeOf(error);
  return h(
    "div",
    { class: "failure" },
    h(
      "p",
      {},
      spaced(
        h("strong", {}, clip(error.name)),
        h("span", { class: "quiet" }, `code ${error.code}`),
      ),
    ),
    h("p", {}, clip(error.msg)),
    cause === "" ? null : h("p", { class: "cause" }, cause),
    explanationView(model.error(error.name), method.errors),
  );
}

function explanationView(
  error: ErrorData | null,
  declared: readonly string[] | undefined,
): Child {
  if (error === null) {
    return h(
      "p",
      { class: "about" },
      "The contract does not declare this error.",
    );
  }
  const isExpected =
    declared === undefined || error.code <= 0 || declared.includes(error.name);
  return h(
    "p",
    { class: "about" },
    inline(error.docs ?? ""),
    isExpected ? null : " The method does not list this error.",
  );
}

function bodyView(
  answer: ReceivedResponse,
  text: string | null,
  node: JsonNode | null,
): Child {
  if (text === null) return downloadView(answer);
  if (text === "") return h("p", { class: "quiet" }, "No body.");
  const shown =
    node !== null && text.length <= maxColoured ? printPieces(node) : null;
  const plain = shown?.map(([, part]) => part).join("") ?? text;
  return h(
    "div",
    { class: "code-box" },
    copyButton("the response", () => plain),
    h(
      "pre",
      { tabindex: "0", role: "region", "aria-label": "Response body" },
      shown === null ? plain.slice(0, maxShown) : jsonView(shown),
    ),
    plain.length > maxShown
      ? h(
          "p",
          { class: "quiet" },
          "Only the beginning is shown. The copy button copies the whole response.",
        )
      : null,
  );
}

/** Shows JSON with syntax highlighting. */
export function jsonView(pieces: readonly Piece[]): HTMLElement {
  return h(
    "code",
    {},
    pieces.map(([kind, text]) =>
      kind === "mark" ? text : h("span", { class: `json-${kind}` }, text),
    ),
  );
}

function downloadView({ body, response }: ReceivedResponse): Child {
  const disposition = response.headers.get("content-disposition") ?? "";
  const name = fileNameIn(disposition) || "response";
  const type = body.type === "" ? "a file" : body.type;
  const link = h(
    "a",
    {
      href: "#",
      download: name,
      // An address keeps the body in memory until it is revoked.
      onclick: () => {
        const url = URL.createObjectURL(body);
        link.href = url;
        setTimeout(() => URL.revokeObjectURL(url));
      },
    },
    `Save ${name}`,
  );
  return h("p", {}, link, h("span", { class: "quiet" }, ` ${type}`));
}

function headersView(headers: readonly [string, string][]): Child {
  return h(
    "details",
    {},
    h("summary", {}, `Headers (${headers.length})`),
    h(
      "dl",
      { class: "headers" },
      headers.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
    h(
      "p",
      { class: "about" },
      "Browsers hide most headers of cross-origin responses.",
    ),
  );
}
