import {
  braces,
  indent,
  isExact,
  javascriptStyle,
  printLiteral,
  quoteString,
} from "./code-text.js";
import { type JsonNode, printFlat } from "./json-text.js";
import {
  type PlainCall,
  printText,
  type SnippetForm,
  type SnippetHeader,
} from "./snippet-request.js";

/** Prints a call with `fetch` as a JavaScript module for Node.js. */
export function printFetch(call: PlainCall): string {
  const { answer, file, form, headers, message } = call;
  const options = [
    `method: ${quoteString(call.verb)},`,
    // A redirect would forward the credentials.
    'redirect: "error",',
    ...(headers.length === 0
      ? []
      : [`headers: ${braces(headers.map(printHeader))},`]),
    ...(form !== null ? ["body: form,"] : []),
    ...(file !== null ? [`body: await openAsBlob(${quoteString(file)}),`] : []),
    ...(message !== null ? [`body: ${printBody(message)},`] : []),
  ];
  const imports = [
    ...((form ?? file) !== null
      ? ['import { openAsBlob } from "node:fs";']
      : []),
    ...(answer === "file"
      ? ['import { writeFile } from "node:fs/promises";']
      : []),
  ];
  return [
    ...(imports.length > 0 ? [...imports, ""] : []),
    ...(form === null ? [] : printForm(form)),
    `const response = await fetch(${printText(call.url, quoteString, (name) => `encodeURIComponent(${variable(name)})`)}, {`,
    indent(options.join("\n")),
    "});",
    "if (!response.ok) {",
    "  throw new Error(`${response.status}: ${await response.text()}`);",
    "}",
    ...answers[answer],
    "",
  ].join("\n");
}

function printHeader(header: SnippetHeader): readonly [string, string] {
  return [quoteString(header.name), printText([header], quoteString, variable)];
}

function variable(name: string): string {
  return `process.env.${name}`;
}

/**
 * Prints a body as a literal, or as text if it is a form, or JavaScript would round a
 * number.
 */
function printBody(message: JsonNode): string {
  return message.kind !== "literal" && isExact(message, false)
    ? `JSON.stringify(${printLiteral(message, javascriptStyle)})`
    : quoteString(printFlat(message));
}

function printForm({ files, texts }: SnippetForm): readonly string[] {
  return [
    "const form = new FormData();",
    ...texts.map(
      ([name, text]) =>
        `form.append(${quoteString(name)}, ${printBody(text)});`,
    ),
    ...files.map(
      ({ name, part }) =>
        `form.append(${quoteString(part)}, await openAsBlob(${quoteString(name)}), ${quoteString(name)});`,
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

const asText = "// As text, because JSON.parse would round large integers.";

const answers = {
  file: ['await writeFile("response.bin", response.body);'],
  none: ["console.log(response.status);"],
  json: ["console.log(await response.json());"],
  "large-json": [asText, "console.log(await response.text());"],
  stream: lines("JSON.parse(line)"),
  "large-stream": [asText, ...lines("line")],
  events: lines("line"),
};
