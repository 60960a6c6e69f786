import { isFormPath } from "../../1-parse/form-path.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { listNames } from "../../diagnostics/names.js";
import { rememberEach } from "../../ir/remember.js";
import { findHeader } from "../notation/headers.js";
import { findMetadata } from "../notation/metadata.js";
import {
  originKinds,
  parseOrigins,
  splitOrigins,
} from "../notation/origins.js";
import { pathParameters } from "../../ir/path-template.js";
import { normalizeBasePath, parseBasePath } from "../notation/base-path.js";
import type { CheckedHost } from "../program/program.js";
import {
  changingContract,
  createSuggester,
  didYouMean,
} from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { inNodes, relate, locate, type Placed } from "../report/finding.js";
import { removeFix } from "../report/removal.js";
import { findBraceFault } from "./rest-binding.js";
import type { AddressFault } from "./rest-fields.js";
import type { CheckRules } from "./rule.js";

/** Rules about headers, imports and comments in documents. */
export const documentRules = {
  "missing-version": ({ documents }) =>
    documents.flatMap((document) => {
      const service = document.syntax.items.find(
        (item) => item.kind === "service",
      );
      const hasVersion = findHeader(document, "version") !== undefined;
      if (service === undefined || hasVersion || document.isBroken) return [];
      return {
        document,
        at: service.name,
        message: "a document with services needs a `version`",
        help: "add `version = v0.0.1` at the top of the document",
      };
    }),

  "missing-webrpc-header": ({ documents }) =>
    documents.flatMap((document) => {
      if (findHeader(document, "webrpc") || document.isBroken) return [];
      const location = locate(document, documentStart);
      return {
        document,
        at: documentStart,
        message: "the document lacks `webrpc = v1`",
        help: "add `webrpc = v1` as its first line",
        ...(!isFormPath(document.path) && {
          fix: { location, replacement: "webrpc = v1\n" },
        }),
      };
    }),

  "unsupported-webrpc-version": inNodes(
    ["headers"],
    ({ syntax: { key, value } }) =>
      key.text === "webrpc" &&
      value.text !== "v1" && {
        at: value,
        message: `\`webrpc\` must be \`v1\`, not \`${value.text}\``,
      },
  ),

  "invalid-basepath": inNodes(["headers"], ({ syntax: { key, value } }) => {
    if (key.text !== "basepath") return false;
    const fault = findBasepathFault(value.text);
    const help = "write it like `/rpc` or `/{network}/rpc`";
    return fault !== null && { at: value, help, ...fault };
  }),

  "duplicate-header": ({ nodes }) =>
    findDuplicates(
      nodes.headers,
      ({ syntax, document }) => `${syntax.key.text} ${document.path}`,
    ).map(
      ({ first: { syntax: first }, again: { syntax: again, document } }) => ({
        document,
        at: again.key,
        message: `\`${again.key.text}\` is given twice`,
        related: [{ at: first.key, label: "first given here" }],
        help: "keep one of them",
        ...(first.value.text === again.value.text &&
          removeFix(document, again.span)),
      }),
    ),

  "duplicate-base-address": ({ nodes }) => {
    const addresses = nodes.aliases.flatMap(({ syntax, document }) => {
      const base = findMetadata(syntax, "base");
      return base ? { base, document } : [];
    });
    return findDuplicates(addresses, ({ document }) => document.path).map(
      ({ first, again: { base, document } }) => ({
        document,
        at: base,
        message: "the document has two base addresses",
        related: [{ at: first.base, label: "first given here" }],
        help: "move the services of one of them into a separate document",
      }),
    );
  },

  // Each host gets its own folder, so the names must differ in letters or
  // digits.
  "duplicate-host": ({ hosts }) =>
    findDuplicates(hosts, keyOf).map(({ first, again }) => ({
      document: again.document,
      at: placeOfHost(again),
      message: `the host name \`${again.name}\` clashes with another host's name`,
      related: [relate(first, placeOfHost(first), "the other host")],
      help: "give each document a `name` that differs in letters or digits",
    })),

  // A member import lists declarations of the imported document. webrpc ignores
  // other names, so an unknown name is an error only if it is used.
  "unknown-import-member": ({ documents, scopes }) => {
    const suggest = createSuggester();
    return documents.flatMap((document) =>
      document.imports.flatMap(({ syntax, path }) => {
        const scope = scopes.get(path);
        if (scope === undefined || !scope.isComplete) return [];
        const names = new Set(
          [...scope.types, ...scope.errors, ...scope.services].map(
            (each) => each.syntax.name.text,
          ),
        );
        return syntax.members
          .filter(({ text }) => !names.has(text))
          .map((at) => ({
            document,
            at,
            severity: "warning" as const,
            message: `\`${path}\` does not declare \`${at.text}\``,
            ...changingContract(suggest(at.text, names, locate(document, at))),
          }));
      }),
    );
  },

  // Each entry of an `origin:` line begins with one of three words. A line with
  // another word counts as an ordinary comment, so the word is reported. If no
  // document has a valid origin, only words that look misspelled are reported.
  "unknown-origin": ({ documents }) => {
    const stating = documents.filter(statesOrigins);
    const isInUse = stating.some(({ syntax }) =>
      syntax.comments.some(({ text }) => parseOrigins(text) !== null),
    );
    return stating.flatMap((document) =>
      document.syntax.comments.flatMap((comment) =>
        findUnknownKinds(comment.text).flatMap((word) => {
          const at = placeOfWord(document, comment, word);
          const place = locate(document, at);
          const suggestion = didYouMean(word, originKinds, place);
          if (!isInUse && suggestion.help === undefined) return [];
          return {
            document,
            at,
            severity: "warning" as const,
            message: `\`${word}\` is not a kind of origin`,
            notes: [`the kinds are ${listNames(originKinds)}`],
            ...suggestion,
          };
        }),
      ),
    );
  },
} satisfies CheckRules;

const statesOrigins = rememberEach(({ syntax }: LoadedDocument) =>
  syntax.source.text.includes("origin:"),
);

/** Where to report something that is missing at the top of a document. */
const documentStart: Placed = { span: { start: 0, end: 0 } };

function findBasepathFault(path: string): AddressFault | null {
  const message = findTextFault(path);
  if (message !== null) return { message };
  const template = parseBasePath(normalizeBasePath(path));
  const faults = template.segments.map((segment) =>
    segment.kind === "literal" ? findBraceFault(segment.text) : null,
  );
  const fault = faults.find((each) => each !== null);
  if (fault) return fault;
  const [twice] = findDuplicates(pathParameters(template), (name) => name);
  return twice
    ? { message: `\`basepath\` has the parameter \`${twice.again}\` twice` }
    : null;
}

function findTextFault(path: string): string | null {
  if (/\s/.test(path)) return "`basepath` contains white space";
  if (path.includes("://")) return "`basepath` must be a path, not a URL";
  if (/[?#]/.test(path)) return "`basepath` contains a query or a fragment";
  return /%(?![0-9a-fA-F]{2})/.test(path)
    ? "`basepath` contains a `%` that is not followed by two hexadecimal digits"
    : null;
}

function keyOf({ name }: CheckedHost): string {
  const letters = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  return letters.toLowerCase() || name;
}

/** Returns the `name` header, or the start of the document if there is none. */
function placeOfHost({ document }: CheckedHost): Placed {
  return findHeader(document, "name")?.value ?? documentStart;
}

function findUnknownKinds(line: string): readonly string[] {
  return (splitOrigins(line) ?? [])
    .map(([word]) => word)
    .filter((word) => !originKinds.some((kind) => kind === word));
}

function placeOfWord(
  { syntax }: LoadedDocument,
  comment: Placed,
  word: string,
): Placed {
  const { start, end } = comment.span;
  const found = syntax.source.text.slice(start, end).lastIndexOf(word);
  if (found === -1) return comment;
  return { span: { start: start + found, end: start + found + word.length } };
}
