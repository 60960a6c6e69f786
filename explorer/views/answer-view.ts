import type { ErrorData } from "../../generator/4-emit/docs/explorer-data.js";
import { fileNameIn } from "../../runtime/wire/disposition.js";
import { copyButton } from "./copy-button.js";
import { type Child, h, spaced } from "./element.js";
import { explainFailure } from "../calls/failure-text.js";
import {
  type JsonNode,
  parseJson,
  type Piece,
  printPieces,
} from "../calls/json-text.js";
import type { Entry, Model } from "../calls/model.js";
import type { Answer, CallOutcome } from "../calls/send.js";
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
}

/**
 * Larger responses are shown without colors, because coloring them would take
 * too long.
 */
const maxColoured = 300_000;
/** Only the beginning of larger responses is shown. */
const maxShown = 2_000_000;

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
  return { element, spoken, title, isOk: false, cause: "" };
}

async function answerView(
  model: Model,
  entry: Entry,
  answer: Answer,
): Promise<OutcomeView> {
  const text = isText(answer) ? await answer.body.text() : null;
  const node = text === null ? null : nodeOf(text);
  const broken = isStream(answer) ? readEnd(text ?? "") : null;
  const failure = broken ?? (node === null ? null : readEnvelope(node));
  const isOk = answer.status >= 200 && answer.status < 300 && broken === null;
  const status = `${answer.status} ${answer.statusText}`.trim();
  const size = printSize(answer.body.size);
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
    ...(isOk || failure === null
      ? [body]
      : [
          failureView(model, entry, failure),
          h("details", {}, h("summary", {}, "Response body"), body),
        ]),
    headersView(answer),
  );
  const what =
    isOk || failure === null ? status : `${failure.name}: ${failure.message}`;
  const spoken = `${what}. ${Math.round(answer.milliseconds)} milliseconds, ${size}.`;
  const cause = isOk ? "" : (failure?.cause ?? "");
  return { element, spoken, title: status, isOk, cause };
}

function nodeOf(text: string): JsonNode | null {
  const parsed = parseJson(text);
  return parsed.isValid ? parsed.node : null;
}

function isStream({ body: { type } }: Answer): boolean {
  return type.includes("ndjson");
}

/** Returns the error that ended a stream, or null if it ended normally. */
function readEnd(text: string): Failure | null {
  const node = nodeOf(text.trimEnd().split("\n").at(-1) ?? "");
  if (node?.kind !== "object") return null;
  const [, error] = node.entries.find(([key]) => key === "webrpcError") ?? [];
  return error === undefined ? null : readEnvelope(error);
}

function isText({ body: { type } }: Answer): boolean {
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

/** The envelope of an error. Source: docs/wire.md. */
interface Failure {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly cause: string | null;
}

function readEnvelope(node: JsonNode): Failure | null {
  if (node.kind !== "object") return null;
  const values = new Map(node.entries);
  const textAt = (key: string): string | null => {
    const value = values.get(key);
    if (value?.kind === "string") return value.value;
    return value?.kind === "literal" ? value.text : null;
  };
  const name = textAt("error");
  if (name === null) return null;
  return {
    name,
    code: textAt("code") ?? "",
    message: textAt("msg") ?? "",
    cause: textAt("cause"),
  };
}

function failureView(model: Model, { method }: Entry, failure: Failure): Child {
  const error = model.error(failure.name);
  return h(
    "div",
    { class: "failure" },
    h(
      "p",
      {},
      spaced(
        h("strong", {}, failure.name),
        h("span", { class: "quiet" }, `code ${failure.code}`),
      ),
    ),
    h("p", {}, failure.message),
    failure.cause === null ? null : h("p", { class: "cause" }, failure.cause),
    explanationView(error, method.errors),
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
  answer: Answer,
  text: string | null,
  node: JsonNode | null,
): Child {
  if (text === null) return downloadView(answer);
  if (text === "") return h("p", { class: "quiet" }, "No body.");
  const isColoured = node !== null && text.length <= maxColoured;
  const shown = isColoured ? printPieces(node) : null;
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

function downloadView({ body, headers }: Answer): Child {
  const [, disposition = ""] =
    headers.find(([name]) => name === "content-disposition") ?? [];
  const name = fileNameIn(disposition) || "response";
  const type = body.type === "" ? "a file" : body.type;
  return h(
    "p",
    {},
    h("a", { href: URL.createObjectURL(body), download: name }, `Save ${name}`),
    h("span", { class: "quiet" }, ` ${type}`),
  );
}

function headersView({ headers }: Answer): Child {
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
