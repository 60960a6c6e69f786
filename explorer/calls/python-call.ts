import {
  braces,
  type CodeStyle,
  escapeInvisible,
  escapeUnits,
  indent,
  isExact,
  printLiteral,
  printVisibleJson,
} from "./code-text.js";
import type { JsonNode } from "./json-text.js";
import {
  answerKindOf,
  filesToSend,
  headersOf,
  type SnippetHeader,
  type SnippetInput,
} from "./snippet-request.js";

const words: ReadonlyMap<string, string> = new Map([
  ["true", "True"],
  ["false", "False"],
  ["null", "None"],
]);

const style: CodeStyle = {
  indent: "    ",
  key: quote,
  string: quote,
  literal: (text) => words.get(text) ?? text,
};

/** Python reads the escapes of JSON. */
function quote(text: string): string {
  return escapeInvisible(JSON.stringify(text), escapeUnits);
}

/** A call as a Python script, with the standard library alone. */
export function printPython(input: SnippetInput): string {
  const { entry, model, request } = input;
  const form = printForm(input);
  const isForm = form.length > 0;
  const headers = headersOf(input);
  const members = [...headers.map(printHeader), ...(isForm ? [formType] : [])];
  const data = isForm
    ? ["data=body,"]
    : request.message === null
      ? []
      : [`data=${printBody(request.message)},`];
  const kind = answerKindOf(model, entry);
  const imports = [
    ...(isForm || request.message !== null || printsJson.has(kind)
      ? ["json"]
      : []),
    ...(headers.some(({ variable }) => variable !== null) ? ["os"] : []),
    ...(isForm ? ["secrets"] : []),
    ...(kind === "file" ? ["shutil"] : []),
    "sys",
    "urllib.error",
    "urllib.request",
  ];
  return [
    ...imports.map((name) => `import ${name}`),
    "",
    ...form,
    "request = urllib.request.Request(",
    indent(
      [
        `${quote(request.url)},`,
        `method=${quote(request.verb)},`,
        ...(members.length === 0
          ? []
          : [`headers=${braces(members, style.indent)},`]),
        ...data,
      ].join("\n"),
      style.indent,
    ),
    ")",
    "try:",
    "    with urllib.request.urlopen(request) as response:",
    ...answers[kind].map((line) => `        ${line}`),
    "except urllib.error.HTTPError as error:",
    '    sys.exit(f"{error.code}: {error.read().decode()}")',
    "",
  ].join("\n");
}

function printHeader({
  name,
  text,
  variable,
}: SnippetHeader): readonly [string, string] {
  const value = variable === null ? "" : `os.environ[${quote(variable)}]`;
  if (value === "") return [quote(name), quote(text)];
  return [quote(name), text === "" ? value : `${quote(text)} + ${value}`];
}

const formType = [
  '"Content-Type"',
  'f"multipart/form-data; boundary={boundary}"',
] as const;

/** The text of the JSON if Python would turn a number into another. */
function printBody(message: JsonNode): string {
  return isExact(message, true)
    ? `json.dumps(${printLiteral(message, style)}).encode()`
    : `${quote(printVisibleJson(message))}.encode()`;
}

function printForm(input: SnippetInput): readonly string[] {
  const { files, message } = input.request;
  if (files === null || message === null) return [];
  const parts = filesToSend(input).map(({ field, name }) => {
    const shown = name.replaceAll('"', "%22").replace(/[\r\n]/gu, " ");
    const head = quote(`name="${field}"; filename="${shown}"`);
    return `    (${head}, open(${quote(name)}, "rb").read()),`;
  });
  return [
    "boundary = secrets.token_hex(16)",
    "parts = [",
    indent(`('name="json"', ${printBody(message)}),`, style.indent),
    ...parts,
    "]",
    'body = b""',
    "for head, content in parts:",
    '    body += f"--{boundary}\\r\\nContent-Disposition: form-data; {head}\\r\\n\\r\\n".encode()',
    '    body += content + b"\\r\\n"',
    'body += f"--{boundary}--\\r\\n".encode()',
    "",
  ];
}

const printsJson: ReadonlySet<string> = new Set([
  "json",
  "large-json",
  "stream",
  "large-stream",
]);

const json = ["print(json.load(response))"];
const stream = [
  "for line in response:",
  "    if line.strip():",
  "        print(json.loads(line), flush=True)",
];

/** Integers of any size stay exact. */
const answers = {
  file: [
    'with open("response.bin", "wb") as file:',
    "    shutil.copyfileobj(response, file)",
  ],
  json,
  "large-json": json,
  stream,
  "large-stream": stream,
};
