import type { Credential } from "../../generator/ir/contract.js";
import { escapePartName } from "../../generator/http/write-request.js";
import { headerOf } from "../../generator/http/credentials.js";
import { sentNameOf, variableOf } from "../credential-names.js";
import type { Alteration, DrawnRequest, FormBody } from "./drawn-request.js";

/**
 * Prints a request as a command for a POSIX shell. Headers of the caller become
 * variables, so that no credential gets into a log.
 *
 * Input: lower-case names of the caller's headers, and the credentials of the
 * contract.
 */
export function printCurl(
  url: string,
  request: DrawnRequest,
  given: Iterable<string>,
  credentials: readonly Credential[],
): string {
  const { headers, verb } = request;
  const body = bodyOf(request);
  const defaultVerb = body.length === 0 ? "GET" : "POST";
  const variables = [...given].filter((name) => !Object.hasOwn(headers, name));
  return [
    `curl${verb === defaultVerb ? "" : ` -X ${verb}`} ${/[[\]{}]/u.test(url) ? "-g " : ""}${quoteShell(url)}`,
    ...variables.map((name) => showFlag(name, credentials)),
    ...Object.entries(headers)
      .filter(([name, value]) => value !== null || name === "content-type")
      // An empty value prevents curl from adding its own header.
      .map(([name, value]) => {
        if (value === null) return `-H ${quoteShell(`${name}:`)}`;
        if (typeof value !== "string") {
          return showFlag(name, credentials, value);
        }
        if (name.startsWith("?")) {
          return `--url-query ${quoteShell(`${name.slice(1)}=${value}`)}`;
        }
        // Only a semicolon makes curl send an empty header.
        return `-H ${quoteShell(value.trim() === "" ? `${name};` : `${name}: ${value}`)}`;
      }),
    ...body,
  ].join(" \\\n  ");
}

function bodyOf({ body, file }: DrawnRequest): readonly string[] {
  if (file !== undefined) return [`--data-binary ${quoteShell(`@${file}`)}`];
  if (body === null) return [];
  if (typeof body === "string") return [`--data-raw ${quoteShell(body)}`];
  return formOf(body);
}

function formOf({ files, texts }: FormBody): readonly string[] {
  return [
    ...texts.map(([name, text]) =>
      name.includes("=")
        ? printPart(name, quoteWord(text))
        : `--form-string ${quoteShell(`${name}=${text}`)}`,
    ),
    ...files.map(({ field, path, type }) => {
      const file = /[",;\\\s]/u.test(path) ? quoteWord(path) : path;
      const content = `@${file}${type === "" ? "" : `;type=${type}`}`;
      return printPart(
        field,
        content,
        `; filename="${escapePartName(path.slice(path.lastIndexOf("/") + 1))}"`,
      );
    }),
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
  return `"${text.replace(/["\\]/gu, String.raw`\$&`)}"`;
}

/** Prints the flag that sends a header, or a credential in the query. */
function showFlag(
  name: string,
  credentials: readonly Credential[],
  alteration?: Alteration,
): string {
  const shown = showHeader(name, credentials, alteration);
  return name.startsWith("?") ? `--url-query "${shown}"` : `-H "${shown}"`;
}

/**
 * Prints a header such as `Authorization: Bearer $RIDL_AUTHORIZATION`, or a
 * credential in the query such as `api_key=$RIDL_API_KEY`, for double quotes.
 * Names and schemes can contain characters with a meaning there.
 */
export function showHeader(
  name: string,
  credentials: readonly Credential[],
  alteration?: Alteration,
): string {
  const credential = credentials.find(
    (each) => sentNameOf(each).toLowerCase() === name.toLowerCase(),
  );
  const { prefix = "" } = (credential && headerOf(credential)) ?? {};
  const variable = variableOf(credential?.parameter ?? name);
  const shown = {
    given: `$${variable}`,
    cut: `\${${variable}%?}`,
    extended: `\${${variable}}x`,
  }[alteration?.kind ?? "given"];
  const escape = (text: string): string =>
    text.replace(/[$`]/gu, String.raw`\$&`);
  return name.startsWith("?")
    ? `${escape(name.slice(1))}=${shown}`
    : `${escape(name)}: ${escape(prefix)}${shown}`;
}

/** Quotes text as one word of a shell command. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
