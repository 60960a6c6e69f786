import { escapePartName } from "../../../runtime/typescript/wire/part-names.js";
import {
  braces,
  type CodeStyle,
  escapeInvisible,
  escapeUnits,
  indent,
  isExact,
  printLiteral,
} from "./code-text.js";
import { type JsonNode, printFlat } from "./json-text.js";
import {
  hasVariable,
  type PlainCall,
  printText,
  type SnippetForm,
  type SnippetHeader,
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

/** Prints a string. Python supports the same escapes as JSON. */
function quote(text: string): string {
  return escapeInvisible(JSON.stringify(text), escapeUnits);
}

/** Prints a call as a Python script that only uses the standard library. */
export function printPython(call: PlainCall): string {
  const { answer, file, form, headers, message, url } = call;
  const isForm = form !== null;
  const members = [...headers.map(printHeader), ...(isForm ? [formType] : [])];
  const data = [
    ...(isForm ? ["data=body,"] : []),
    ...(file !== null ? [`data=open(${quote(file)}, "rb").read(),`] : []),
    ...(message !== null ? [`data=${printBody(message)},`] : []),
  ];
  const imports = [
    ...(isForm || message !== null || /json|stream/u.test(answer)
      ? ["json"]
      : []),
    ...(hasVariable([...url, ...headers]) ? ["os"] : []),
    ...(isForm ? ["secrets"] : []),
    ...(answer === "file" ? ["shutil"] : []),
    "sys",
    "urllib.error",
    ...(hasVariable(url) ? ["urllib.parse"] : []),
    "urllib.request",
  ];
  return [
    ...imports.map((name) => `import ${name}`),
    "",
    // A redirect would forward the credentials.
    "class NoRedirect(urllib.request.HTTPRedirectHandler):",
    "    redirect_request = lambda *_: None",
    "",
    ...(isForm ? printForm(form) : []),
    "request = urllib.request.Request(",
    indent(
      [
        `${printText(url, quote, (name) => `urllib.parse.quote(${variable(name)}, safe="")`)},`,
        `method=${quote(call.verb)},`,
        ...(members.length === 0
          ? []
          : [`headers=${braces(members, style.indent)},`]),
        ...data,
      ].join("\n"),
      style.indent,
    ),
    ")",
    "try:",
    "    with urllib.request.build_opener(NoRedirect).open(request) as response:",
    ...answers[answer].map((line) => `        ${line}`),
    "except urllib.error.HTTPError as error:",
    '    sys.exit(f"{error.code}: {error.read().decode()}")',
    "",
  ].join("\n");
}

function printHeader(header: SnippetHeader): readonly [string, string] {
  return [quote(header.name), printText([header], quote, variable)];
}

function variable(name: string): string {
  return `os.environ[${quote(name)}]`;
}

const formType = [
  '"Content-Type"',
  'f"multipart/form-data; boundary={boundary}"',
] as const;

/**
 * Prints a body as a literal, or as text if it is a form, or Python would change a
 * number.
 */
function printBody(message: JsonNode): string {
  return message.kind !== "literal" && isExact(message, true)
    ? `json.dumps(${printLiteral(message, style)}).encode()`
    : `${quote(printFlat(message))}.encode()`;
}

function printForm({ files, texts }: SnippetForm): readonly string[] {
  const print = (name: string, content: string, more = ""): string =>
    indent(
      `(${quote(`name="${escapePartName(name)}"${more}`)}, ${content}),`,
      style.indent,
    );
  return [
    "boundary = secrets.token_hex(16)",
    "parts = [",
    ...texts.map(([name, text]) => print(name, printBody(text))),
    ...files.map(({ name, part }) =>
      print(
        part,
        `open(${quote(name)}, "rb").read()`,
        `; filename="${escapePartName(name)}"`,
      ),
    ),
    "]",
    'body = b""',
    "for head, content in parts:",
    '    body += f"--{boundary}\\r\\nContent-Disposition: form-data; {head}\\r\\n\\r\\n".encode()',
    '    body += content + b"\\r\\n"',
    'body += f"--{boundary}--\\r\\n".encode()',
    "",
  ];
}

const json = ["print(json.load(response))"];
const stream = [
  "for line in response:",
  "    if line.strip():",
  "        print(json.loads(line), flush=True)",
];

/**
 * The code that reads each kind of response. Python's integers are exact, so
 * large integers need no special case.
 */
const answers = {
  file: [
    'with open("response.bin", "wb") as file:',
    "    shutil.copyfileobj(response, file)",
  ],
  none: ["print(response.status)"],
  json,
  "large-json": json,
  stream,
  "large-stream": stream,
  events: ["for line in response:", "    print(line, flush=True)"],
};
