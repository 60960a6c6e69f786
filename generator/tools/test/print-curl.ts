import type { DrawnRequest, FormBody } from "./drawn-request.js";

/**
 * Prints a request as a command for a POSIX shell. Headers of the caller are
 * variables, so that no credential gets into a log.
 *
 * Input: lower-case names of the headers that the caller gave.
 */
export function printCurl(
  url: string,
  request: DrawnRequest,
  given: Iterable<string>,
): string {
  const { body, headers, verb } = request;
  const usual = body === null ? "GET" : "POST";
  const variables = [...given].filter((name) => !Object.hasOwn(headers, name));
  return [
    `curl${verb === usual ? "" : ` -X ${verb}`} ${/[[\]{}]/u.test(url) ? "-g " : ""}${quoteShell(url)}`,
    ...variables.map((name) => `-H "${name}: $${variableOf(name)}"`),
    ...Object.entries(headers)
      .filter(([name, value]) => value !== null || name === "content-type")
      // An empty value keeps curl from sending a header of its own.
      .map(
        ([name, value]) =>
          `-H ${quoteShell(`${name}:${value === null ? "" : ` ${value}`}`)}`,
      ),
    ...bodyOf(body),
  ].join(" \\\n  ");
}

function bodyOf(body: DrawnRequest["body"]): readonly string[] {
  if (body === null) return [];
  if (typeof body === "string") return [`--data-raw ${quoteShell(body)}`];
  return formOf(body);
}

function formOf({ files, json }: FormBody): readonly string[] {
  return [
    `--form-string ${quoteShell(`json=${json}`)}`,
    ...files.map(([name]) => `-F ${quoteShell(`${name}=@file.txt`)}`),
  ];
}

/** The environment variable that has the value of a header. */
export function variableOf(header: string): string {
  return `RIDL_${header.toUpperCase().replace(/[^A-Z0-9]/gu, "_")}`;
}

/** One word of a shell. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
