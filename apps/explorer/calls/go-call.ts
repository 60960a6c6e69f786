import { escapeInvisible, printVisibleJson } from "./code-text.js";
import type { JsonNode } from "./json-text.js";
import {
  hasVariable,
  type PlainCall,
  printText,
  type SnippetForm,
  type SnippetHeader,
} from "./snippet-request.js";

const check = ["if err != nil {", "\tpanic(err)", "}"];

/** Prints a call as a Go program that only uses the standard library. */
export function printGo(call: PlainCall): string {
  const { answer, file, form, headers, message, url } = call;
  const address = printText(
    url,
    quote,
    (name) => `url.QueryEscape(${variable(name)})`,
    "+",
  );
  const isForm = form !== null;
  const isFile = answer === "file";
  const body = isForm
    ? "&body"
    : message === null
      ? file === null
        ? "nil"
        : "file"
      : `strings.NewReader(${printBody(message)})`;
  const imports = [
    ...(isForm ? ["bytes"] : []),
    "fmt",
    "io",
    ...(isForm ? ["mime/multipart"] : []),
    "net/http",
    ...(hasVariable(url) ? ["net/url"] : []),
    "os",
    ...(body.startsWith("strings") ? ["strings"] : []),
  ];
  return [
    "package main",
    "",
    "import (",
    ...imports.map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    ...[
      ...(isForm ? printForm(form) : []),
      ...(file === null
        ? []
        : [`file, err := os.Open(${quote(file)})`, ...check]),
      `request, err := http.NewRequest(${quote(call.verb)}, ${address}, ${body})`,
      ...check,
      ...headers.map(printHeader),
      ...(isForm
        ? ['request.Header.Set("Content-Type", form.FormDataContentType())']
        : []),
      "client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {",
      // A redirect would forward the credentials.
      "\treturn http.ErrUseLastResponse",
      "}}",
      "response, err := client.Do(request)",
      ...check,
      "defer response.Body.Close()",
      "if response.StatusCode >= 300 {",
      "\ttext, _ := io.ReadAll(response.Body)",
      '\tfmt.Fprintf(os.Stderr, "%d: %s\\n", response.StatusCode, text)',
      "\tos.Exit(1)",
      "}",
      ...(isFile ? ['output, err := os.Create("response.bin")', ...check] : []),
      `if _, err := io.Copy(${isFile ? "output" : "os.Stdout"}, response.Body); err != nil {`,
      "\tpanic(err)",
      "}",
    ].map((line) => `\t${line}`),
    "}",
    "",
  ].join("\n");
}

function printHeader(header: SnippetHeader): string {
  const text = printText([header], quote, variable, "+");
  return `request.Header.Set(${quote(header.name)}, ${text})`;
}

function variable(name: string): string {
  return `os.Getenv(${quote(name)})`;
}

/** Prints JSON as a raw string, which cannot contain a backtick. */
function printBody(message: JsonNode): string {
  if (message.kind === "literal") return quote(message.text);
  return `\`${printVisibleJson(message).replaceAll("`", "\\u0060")}\``;
}

function printForm({ files, texts }: SnippetForm): readonly string[] {
  return [
    "var body bytes.Buffer",
    "form := multipart.NewWriter(&body)",
    ...texts.map(
      ([name, text]) => `form.WriteField(${quote(name)}, ${printBody(text)})`,
    ),
    ...files.flatMap(({ name, part }) => [
      "{",
      `\tfile, err := os.Open(${quote(name)})`,
      ...check.map((line) => `\t${line}`),
      `\tpart, err := form.CreateFormFile(${quote(part)}, ${quote(name)})`,
      ...check.map((line) => `\t${line}`),
      "\tio.Copy(part, file)",
      "\tfile.Close()",
      "}",
    ]),
    "form.Close()",
  ];
}

/**
 * Prints a string. Go supports the same escapes as JSON, and others for
 * characters beyond 16 bits. Lone surrogates are replaced.
 */
function quote(text: string): string {
  return escapeInvisible(
    JSON.stringify(text.replace(/\p{Cs}/gu, "\ufffd")),
    (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      return code.length > 4
        ? `\\U${code.padStart(8, "0")}`
        : `\\u${code.padStart(4, "0")}`;
    },
  );
}
