import { escapePartName } from "../../../runtime/typescript/wire/part-names.js";
import { type JsonNode, printFlat, printJson } from "./json-text.js";
import {
  type CallRequest,
  headerOf,
  prefixOf,
  sentHeaders,
  sentUrl,
} from "./request.js";
import { type AnswerKind, variableOf } from "./snippet-request.js";

/**
 * Prints a call as a command for a POSIX shell.
 *
 * Unless `showsKeys` is set, variables replace the values of keys, so that
 * users do not paste secrets by accident.
 */
export function printCurl(
  request: CallRequest,
  { answer, showsKeys }: CurlOptions,
): string {
  const { credentials, verb } = request;
  const url = showsKeys ? sentUrl(request) : request.url;
  const headers = showsKeys ? sentHeaders(request) : request.headers;
  const variables = showsKeys ? [] : credentials;
  const body = bodyOf(request);
  const usual = body.length === 0 ? "GET" : "POST";
  return [
    `curl${flags[answer]}${verb === usual ? "" : ` -X ${verb}`} ${/[[\]{}]/u.test(url) ? "-g " : ""}${quoteShell(url)}`,
    ...headers.map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...variables.map(({ credential }) => {
      const header = headerOf(credential);
      const place = header === null ? "" : `${header}: `;
      const before = escapeDoubleQuoted(place + prefixOf(credential));
      const flag = header === null ? "--url-query" : "-H";
      return `${flag} "${before}$${variableOf(credential.name)}"`;
    }),
    ...body,
  ].join(" \\\n  ");
}

/** Options of the command. */
export interface CurlOptions {
  readonly answer: AnswerKind;
  readonly showsKeys: boolean;
}

/**
 * Streams are not buffered, and files get the name in the response. An error is not
 * a file.
 */
const flags: Readonly<Record<AnswerKind, string>> = {
  file: " -fOJ",
  none: "",
  json: "",
  "large-json": "",
  stream: " -N",
  "large-stream": " -N",
  events: " -N",
};

/** Longer JSON is printed on several lines. */
const maxLine = 60;

function bodyOf({ files, message, texts }: CallRequest): readonly string[] {
  const [whole] = files;
  if (texts === null && whole !== undefined) {
    return [`--data-binary ${quoteShell(`@${whole[1].name}`)}`];
  }
  return [
    ...(message ? [`--data-raw ${quoteShell(printShort(message))}`] : []),
    ...(texts ?? []).map(([name, node]) => {
      const text = printShort(node);
      return name.includes("=")
        ? printPart(name, quoteWord(text))
        : // `-F` would interpret a semicolon.
          `--form-string ${quoteShell(`${name}=${text}`)}`;
    }),
    ...files.map(([part, { name }]) =>
      printPart(
        part,
        `@${quoteWord(name)}`,
        `; filename="${escapePartName(name)}"`,
      ),
    ),
  ];
}

/** Prints a part. Curl ends names at `=`, so such a name is in a header. */
function printPart(name: string, content: string, more = ""): string {
  if (!name.includes("=")) return `-F ${quoteShell(`${name}=${content}`)}`;
  const header = `Content-Disposition: form-data; name="${escapePartName(name)}"${more}`;
  return `-F ${quoteShell(`=${content};headers=${quoteWord(header)}`)}`;
}

/** Quotes a text in the syntax of curl's forms. */
function quoteWord(text: string): string {
  return `"${text.replace(/["\\]/gu, "\\$&")}"`;
}

function printShort(message: JsonNode): string {
  const flat = printFlat(message);
  return flat.length > maxLine ? printJson(message) : flat;
}

/** Quotes any text as one word for a POSIX shell. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("\0", "").replaceAll("'", String.raw`'\''`)}'`;
}

function escapeDoubleQuoted(text: string): string {
  return text.replaceAll("\0", "").replace(/[\\"$`]/gu, "\\$&");
}
