import type { ts } from "ts-morph";
import { indentAt } from "../../implement/file-style.js";
import { helperFile } from "../change/helper-file.js";
import {
  addTo,
  bothClients,
  bothClientsFile,
  useCreate,
} from "../change/new-client.js";
import { packageClient } from "../change/package-client.js";
import type {
  CodeChange,
  NewCreation,
  OldClient,
} from "../change/old-client.js";
import type { Base } from "../change/operations.js";
import { reindent, type Surroundings } from "../change/print-code.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import { declared } from "./declarations.js";
import { findBase } from "./find-method.js";
import { findNulls } from "./find-nulls.js";
import { readLinks, type SendingLink } from "./read-links.js";
import { readOptions } from "./read-options.js";
import { replaceCall } from "./replace-call.js";

/** The client of tRPC. */
export const trpc: OldClient = {
  name: "trpc",
  ...packageClient(declared),
  findBase,
  replaceCall,
  printCreation,
  ...bothClients,
  helperFiles: () => [
    bothClientsFile("trpc"),
    helperFile("trpc/defined-headers.ts", "definedHeaders"),
  ],
};

function printCreation(
  creation: ts.CallExpression,
  old: string | null,
  base: Base,
  change: CodeChange,
): NewCreation {
  const { warnings, file, migration, surroundings } = change;
  const link = readLinks(creation, file.lookup);
  const { doubtful, text: options } = readOptions(link, base, change);
  const create = useCreate(base, change);
  const document = declared.documentOf(
    file.lookup,
    file.lookup.checker.getTypeAtLocation(creation),
  );
  const nulls = findNulls(creation, document, base, migration);
  warnings.push(
    ...(old === null ? link.loggers.map(notLogged) : []),
    ...(nulls === null ? [] : [nulls]),
  );
  const { text: code } = file.source;
  const indent = indentAt(code, creation.getStart());
  const own = reindent(options, indent);
  const comments = old === null ? commentsAround(link, creation, change) : [];
  const text = `${create}(${addComments(comments, own, indent, surroundings)})`;
  const warning =
    doubtful &&
    new UnsupportedCode(
      doubtful,
      `the new client calls \`${base.host.host.basePath.text}\` at this address, and no longer tRPC's server`,
      "serve the contract there before you run the program",
    );
  return { text: addTo(old, text, change), warning };
}

function notLogged(link: ts.Expression): UnsupportedCode {
  return new UnsupportedCode(
    link,
    "calls of the new client are not logged",
    "add an interceptor that logs them to `use`",
  );
}

/** Returns the comments of a creation outside of what stays or is dropped. */
function commentsAround(
  { loggers, options }: SendingLink,
  creation: ts.CallExpression,
  { file, migration }: CodeChange,
): readonly string[] {
  const { compiler } = migration;
  const { text } = file.source;
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    // A comment can be after a comma, in the line of the node before it.
    const ranges = [
      compiler.getTrailingCommentRanges(text, node.pos),
      compiler.getLeadingCommentRanges(text, node.pos),
      compiler.getTrailingCommentRanges(text, node.end),
    ];
    for (const { end, pos } of ranges.flatMap((each) => each ?? [])) {
      if (end <= creation.end) ends.set(pos, end);
    }
    const isKnown = node === options || loggers.some((each) => each === node);
    if (!isKnown) compiler.forEachChild(node, visit);
  };
  creation.arguments.forEach(visit);
  return [...ends]
    .toSorted(([left], [right]) => left - right)
    .map(([start, end]) => text.slice(start, end));
}

/** Adds comments as the first lines of an object. */
function addComments(
  comments: readonly string[],
  object: string,
  indent: string,
  { style }: Surroundings,
): string {
  if (comments.length === 0) return object;
  const { lineBreak } = style;
  const inner = indent + style.indent;
  const rest = object.slice(1);
  const isFlat = !object.includes("\n");
  const body = isFlat
    ? `${lineBreak}${inner}${rest.slice(0, -1).trim()},${lineBreak}${indent}}`
    : rest;
  const lines = comments.map((each) => `${lineBreak}${inner}${each}`);
  return `{${lines.join("")}${body}`;
}
