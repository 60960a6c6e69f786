import {
  braces,
  indent,
  isExact,
  javascriptStyle,
  printLiteral,
  printVisibleJson,
  quoteString,
} from "./code-text.js";
import type { JsonNode } from "./json-text.js";
import {
  answerKindOf,
  filesToSend,
  headersOf,
  type SnippetHeader,
  type SnippetInput,
} from "./snippet-request.js";

/** A call by `fetch`, as a module of JavaScript for Node. */
export function printFetch(input: SnippetInput): string {
  const { entry, model, request } = input;
  const headers = headersOf(input);
  const options = [
    `method: ${quoteString(request.verb)},`,
    ...(headers.length === 0
      ? []
      : [`headers: ${braces(headers.map(printHeader))},`]),
    ...(request.files !== null
      ? ["body: form,"]
      : request.message === null
        ? []
        : [`body: ${printBody(request.message)},`]),
  ];
  const kind = answerKindOf(model, entry);
  const form = printForm(input);
  const imports = [
    ...(form.length > 0 ? ['import { openAsBlob } from "node:fs";'] : []),
    ...(kind === "file"
      ? ['import { writeFile } from "node:fs/promises";']
      : []),
  ];
  return [
    ...(imports.length > 0 ? [...imports, ""] : []),
    ...form,
    `const response = await fetch(${quoteString(request.url)}, {`,
    indent(options.join("\n")),
    "});",
    "if (!response.ok) {",
    "  throw new Error(`${response.status}: ${await response.text()}`);",
    "}",
    ...answers[kind],
    "",
  ].join("\n");
}

function printHeader({
  name,
  text,
  variable,
}: SnippetHeader): readonly [string, string] {
  const value =
    variable === null
      ? quoteString(text)
      : text === ""
        ? `process.env.${variable}`
        : `\`${text}\${process.env.${variable}}\``;
  return [quoteString(name), value];
}

/** Text of the JSON where numbers would be rounded. */
function printBody(message: JsonNode): string {
  return isExact(message, false)
    ? `JSON.stringify(${printLiteral(message, javascriptStyle)})`
    : quoteString(printVisibleJson(message));
}

function printForm(input: SnippetInput): readonly string[] {
  const { files, message } = input.request;
  if (files === null || message === null) return [];
  return [
    "const form = new FormData();",
    `form.append("json", ${printBody(message)});`,
    ...filesToSend(input).map(
      ({ field, name }) =>
        `form.append(${quoteString(field)}, await openAsBlob(${quoteString(name)}), ${quoteString(name)});`,
    ),
  ];
}

const lines = (print: string): readonly string[] => [
  'let rest = "";',
  "for await (const text of response.body.pipeThrough(new TextDecoderStream())) {",
  '  const lines = (rest + text).split("\\n");',
  "  rest = lines.pop();",
  `  for (const line of lines) if (line !== "") console.log(${print});`,
  "}",
];

const asText = "// As text: JSON.parse would round large integers.";

const answers = {
  file: ['await writeFile("response.bin", response.body);'],
  json: ["console.log(await response.json());"],
  "large-json": [asText, "console.log(await response.text());"],
  stream: lines("JSON.parse(line)"),
  "large-stream": [asText, ...lines("line")],
};
