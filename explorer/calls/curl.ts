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
  const { credentials, files, message, verb } = request;
  const url = showsKeys ? sentUrl(request) : request.url;
  const headers = showsKeys ? sentHeaders(request) : request.headers;
  const variables = showsKeys ? [] : credentials;
  const usual = message === null ? "GET" : "POST";
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
    ...(message === null ? [] : bodyOf(message, files)),
  ].join(" \\\n  ");
}

/** Options of the command. */
export interface CurlOptions {
  readonly answer: AnswerKind;
  readonly showsKeys: boolean;
}

/** Streams are not buffered, and files get the name in the response. */
const flags: Readonly<Record<AnswerKind, string>> = {
  file: " -OJ",
  none: "",
  json: "",
  "large-json": "",
  stream: " -N",
  "large-stream": " -N",
};

/** Longer JSON is printed on several lines. */
const maxLine = 60;

function bodyOf(
  message: JsonNode,
  files: CallRequest["files"],
): readonly string[] {
  const flat = printFlat(message);
  const json = flat.length > maxLine ? printJson(message) : flat;
  if (files === null) return [`--data-raw ${quoteShell(json)}`];
  return [
    // `-F` would interpret a semicolon.
    `--form-string ${quoteShell(`json=${json}`)}`,
    ...files.map(([field, file]) => {
      const path = file.name.replace(/["\\]/gu, "\\$&");
      return `-F ${quoteShell(`${field}=@"${path}"`)}`;
    }),
  ];
}

/** Quotes any text as one word for a POSIX shell. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("\0", "").replaceAll("'", String.raw`'\''`)}'`;
}

function escapeDoubleQuoted(text: string): string {
  return text.replaceAll("\0", "").replace(/[\\"$`]/gu, "\\$&");
}
