import { topLevelWords } from "../../../../generator/1-parse/expect.js";
import { isIntegerName, scalars } from "../../../../generator/ir/scalars.js";
import { headerDocs } from "../hover/language-docs.js";
import type { Completion } from "../model/results.js";
import { createCompletion } from "./create-completion.js";
import type { CompletionScope } from "./line-context.js";
import { spanBefore, type LineContext } from "./line-context.js";

/** Snippets for words at the start of a line. */
const snippets: Readonly<Record<string, string>> = {
  basepath: "basepath = /$0",
  enum: "enum $0: string",
  error: "error $0",
  import: 'import "$0"',
  name: "name = $0",
  service: "service $0",
  struct: "struct $0",
  type: "type $0: ",
  version: "version = v$0",
  webrpc: "webrpc = v1$0",
};

/** Completes words that begin a declaration or a header. */
export function completeTopLevel(line: LineContext): readonly Completion[] {
  const span = spanBefore(line);
  const written = new Set(
    line.document.syntax.items.flatMap((item) =>
      item.kind === "header" ? item.key.text : [],
    ),
  );
  return topLevelWords
    .filter((word) => !written.has(word))
    .map((word) =>
      createCompletion(word, "keyword", span, {
        text: snippets[word] ?? word,
        docs: headerDocs(word) ?? "",
      }),
    );
}

/** Completes the value of `webrpc`. Other headers accept any value. */
export function completeHeaderValue(line: LineContext): readonly Completion[] {
  if (!/^\s*webrpc\s*=/.test(line.before)) return [];
  return [createCompletion("v1", "value", spanBefore(line, /[^\s=]*$/))];
}

/** Completes the types that an enum can have. */
export function completeEnumBase(line: LineContext): readonly Completion[] {
  const span = spanBefore(line);
  const integers = Object.keys(scalars).filter(
    (name) => isIntegerName(name) && name !== "byte",
  );
  return ["string", ...integers].map((name, rank) =>
    createCompletion(name, "core-type", span, { rank }),
  );
}

const statuses: Readonly<Record<string, string>> = {
  "400": "Bad Request",
  "401": "Unauthorized",
  "403": "Forbidden",
  "404": "Not Found",
  "409": "Conflict",
  "410": "Gone",
  "422": "Unprocessable Content",
  "429": "Too Many Requests",
  "500": "Internal Server Error",
  "502": "Bad Gateway",
  "503": "Service Unavailable",
  "504": "Gateway Timeout",
};

/** Completes an unused code, `HTTP`, and the status of an error. */
export function completeErrorLine(
  line: LineContext,
  { program }: CompletionScope,
): readonly Completion[] {
  const span = spanBefore(line);
  if (/^\s*error\s+\d*$/.test(line.before)) {
    const codes = program.nodes.errors.map(({ syntax }) =>
      Number(syntax.code.text),
    );
    const largest = Math.max(1000, ...codes.filter(Number.isSafeInteger));
    const detail = "the next unused code";
    return [createCompletion(String(largest + 1), "value", span, { detail })];
  }
  if (/"\s+\w*$/.test(line.before)) {
    return [createCompletion("HTTP", "keyword", span, { text: "HTTP $0" })];
  }
  if (!/\sHTTP\s+\d*$/.test(line.before)) return [];
  return Object.entries(statuses).map(([status, detail]) =>
    createCompletion(status, "value", span, { detail }),
  );
}
