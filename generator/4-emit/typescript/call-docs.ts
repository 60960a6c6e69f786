import type { Contract, Method } from "../../ir/contract.js";
import { checkedCredentials } from "./call-scope.js";
import { docLines } from "./docs.js";
import { quoteComment } from "./quote.js";

/** Columns of a note, so that it fits behind ` * ` of an indented comment. */
const noteWidth = 74;

/** Words filled into lines; continuation lines of a tag need no indentation. */
export function wrapNote(text: string): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length > noteWidth && current !== "") {
      lines.push(current);
      current = word;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}

/** Docs of a method in a client: what it needs and which errors it throws. */
export function clientMethodDocs(
  contract: Contract,
  method: Method,
  errorType: string,
): readonly string[] {
  const headers = checkedCredentials(contract, method).map(
    ({ header }) => `\`${header}\``,
  );
  const needs = headers.length === 0 ? [] : [`Needs ${listOf(headers)}.`, ""];
  const errors = `@throws {@link ${errorType}} ${errorList(method)}`;
  return methodDocs(method, [...needs, errors]);
}

/** Docs of a method in a handler: what was checked and what it may answer. */
export function handlerMethodDocs(
  contract: Contract,
  method: Method,
): readonly string[] {
  const checked = checkedCredentials(contract, method).map(
    ({ header, error }) => `\`${header}\` (else \`${error}\`)`,
  );
  const checks =
    checked.length === 0
      ? "No credentials are checked."
      : `Checked before: ${listOf(checked)}.`;
  return methodDocs(method, [checks, `May throw: ${errorList(method)}`]);
}

/** The same in one line, for the constant that stands for a method. */
export function constantDocs(
  method: Method,
  target: string,
): readonly string[] {
  const text = `\`${method.service}.${method.name}\` for \`connect\`; see {@link ${target}}.`;
  const deprecated =
    method.deprecated === null ? [] : ["", `@deprecated ${method.deprecated}`];
  return quoteComment([...wrapNote(text), ...deprecated]);
}

function methodDocs(
  method: Method,
  notes: readonly string[],
): readonly string[] {
  return docLines(method.docs, [], {
    deprecated: method.deprecated,
    notes: quoteComment(notes.flatMap(wrapNote)),
  });
}

/** `A`, `B` or a built-in error. */
function errorList({ errors }: Method): string {
  if (errors === null) return "any error of the contract.";
  if (errors.length === 0) return "built-in errors only.";
  const names = errors.map((name) => `\`${name}\``);
  return `${names.join(", ")} or a built-in error.`;
}

function listOf(parts: readonly string[]): string {
  return parts.join(" and ");
}
