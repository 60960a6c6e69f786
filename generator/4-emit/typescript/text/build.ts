import { declare, type Declared } from "./declare.js";
import { printDocs } from "./docs.js";
import { render, type Doc } from "./format.js";
import type { PrintedFile } from "./print.js";
import type { ConstantStatement, Parameter } from "./statements.js";

/** A property or method of an interface or class. */
export interface Member {
  /** Lines of its doc comment, inert; see `docLines`. */
  readonly docs: readonly string[];
  /** The member without its semicolon, e.g. `readonly page?: Page`. */
  readonly code: Doc;
}

/** A member of an interface, laid out with its semicolon. */
export function memberOf(docs: readonly string[], code: Doc): Member {
  return { docs, code: render([code, ";"], 2).slice(0, -1) };
}

/** An exported interface. `name` may carry type parameters. */
export function buildInterface(
  imports: Pick<PrintedFile, "forms">,
  docs: readonly string[],
  name: string,
  members: readonly Member[],
  extended: readonly string[] = [],
): Declared {
  const extending =
    extended.length === 0 ? "" : ` extends ${extended.join(", ")}`;
  const head = `${printDocs(docs)}export interface ${name}${extending} {`;
  const body = members.map(memberText).join("");
  const text = members.length === 0 ? `${head}}` : `${head}${body}\n}`;
  return declare(imports, { kind: "type", text });
}

/** A member on lines of its own, two columns deeper. */
function memberText({ code, docs }: Member): string {
  const text = printDocs(docs) + render([code, ";"], 2);
  return `\n  ${text.replaceAll("\n", "\n  ")}`;
}

/** An exported alias. Input: `export type …`, with its semicolon. */
export function buildAlias(
  imports: Pick<PrintedFile, "forms">,
  docs: readonly string[],
  code: Doc,
): Declared {
  const text = printDocs(docs) + render(code);
  return declare(imports, { kind: "type", text });
}

/** An exported function. */
export function buildFunction(
  imports: Pick<PrintedFile, "forms">,
  docs: readonly string[],
  name: string,
  parameters: readonly Parameter[],
  returns: Doc,
  body: readonly Doc[],
): Declared {
  return declare(imports, {
    kind: "function",
    docs,
    isExported: true,
    name,
    parameters,
    returns,
    body,
  });
}

/** An exported constant with its type. */
export function buildConstant(
  imports: Pick<PrintedFile, "forms">,
  docs: readonly string[],
  name: string,
  type: Doc,
  assign: ConstantStatement["assign"],
): Declared {
  return declare(imports, {
    kind: "constant",
    docs,
    isExported: true,
    name,
    type,
    assign,
  });
}

/** A constant of the file alone: declarations do not have it. */
export function buildLocal(
  imports: Pick<PrintedFile, "forms">,
  name: string,
  assign: ConstantStatement["assign"],
  type: Doc | null = null,
): Declared {
  return declare(imports, {
    kind: "constant",
    docs: [],
    isExported: false,
    name,
    type,
    assign,
  });
}

/** `export * from "…"` for each file. */
export function buildReexports(
  imports: Pick<PrintedFile, "forms">,
  ...from: readonly string[]
): Declared {
  return declare(imports, { kind: "reexport-all", from });
}
