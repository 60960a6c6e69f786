import type { ErrorDeclaration } from "../../../ir/contract.js";
import { docLines, docsOf } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import { quoteComment, quoteString } from "../text/quote.js";
import { entryOf } from "../text/shapes.js";
import {
  kinds,
  type ClassProperty,
  type ClassStructure,
  type Parameter,
} from "../text/structures.js";

/** The parts of an error class. */
export interface ErrorClassParts {
  readonly name: string;
  readonly extends: Doc;
  readonly properties?: readonly ClassProperty[];
  readonly parameter: Parameter;
  /** The status, if it is not constant. */
  readonly status?: string;
  /** Calls the base constructor. Input: entries of the error's row. */
  readonly callSuper: (row: readonly Doc[]) => Doc;
}

/** Builds a class that contains its own row, so that bundlers can drop both. */
export function errorClass(
  { anyStatus, code, docs, message, name, status }: ErrorDeclaration,
  parts: ErrorClassParts,
): ClassStructure {
  const row = [
    entryOf("name", quoteString(name)),
    entryOf("code", `${code}`),
    entryOf("message", quoteString(message)),
    entryOf("status", parts.status ?? `${status}`),
  ];
  const text = quoteComment([message]).join("");
  const facts = anyStatus
    ? `Code ${code}, any HTTP status, by default ${status}.`
    : `Code ${code}, HTTP ${status}.`;
  const own = docLines(docs);
  return {
    kind: kinds.class,
    docs: docsOf(
      own.length === 0 ? [`${sentence(text)} ${facts}`] : [...own, "", facts],
    ),
    isExported: true,
    name: parts.name,
    extends: parts.extends,
    properties: [...(parts.properties ?? [])],
    ctors: [
      {
        parameters: [parts.parameter],
        statements: [[parts.callSuper(row), ";"]],
      },
    ],
  };
}

function sentence(text: string): string {
  const start = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/u.test(start) ? start : `${start}.`;
}
