import { isFormPath } from "../../1-parse/form-path.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Span } from "../../source/source.js";
import { findMetadata } from "../notation/metadata.js";
import {
  originKinds,
  parseOrigins,
  splitOrigins,
} from "../notation/origins.js";
import { parametersOf, parsePathTemplate } from "../notation/path-template.js";
import type { CheckedHost } from "../program/program.js";
import {
  changingContract,
  createSuggester,
  didYouMean,
} from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { errorAt, warningAt } from "../report/finding.js";
import { removeFix } from "../report/removal.js";
import { locate, relate } from "../report/report.js";
import type { CheckRules } from "./rule.js";

/** Rules about headers, imports and comments of documents. */
export const documentRules = {
  "missing-version": ({ documents }) =>
    documents.flatMap((document) => {
      const { items } = document.syntax;
      const service = items.find((item) => item.kind === "service");
      const hasVersion = items.some(
        (item) => item.kind === "header" && item.key.text === "version",
      );
      if (service === undefined || hasVersion || document.isBroken) return [];
      return errorAt(
        locate(document, service.name),
        "a document with services needs a `version`",
        { help: "add `version = v0.0.1` to the head of the document" },
      );
    }),

  "missing-webrpc-header": ({ documents }) =>
    documents.flatMap(({ syntax, isBroken }) => {
      const hasHeader = syntax.items.some(
        (item) => item.kind === "header" && item.key.text === "webrpc",
      );
      if (hasHeader || isBroken) return [];
      const location = { source: syntax.source, span: { start: 0, end: 0 } };
      return errorAt(location, "the document does not say `webrpc = v1`", {
        help: "begin it with `webrpc = v1`",
        ...(!isFormPath(syntax.source.path) && {
          fix: { location, replacement: "webrpc = v1\n" },
        }),
      });
    }),

  "unsupported-webrpc-version": ({ nodes }) =>
    nodes.headers.flatMap(({ syntax: { key, value }, document }) => {
      if (key.text !== "webrpc" || value.text === "v1") return [];
      return errorAt(
        locate(document, value),
        `\`webrpc\` must be \`v1\`, not \`${value.text}\``,
      );
    }),

  "invalid-basepath": ({ nodes }) =>
    nodes.headers.flatMap(({ syntax: { key, value }, document }) => {
      if (key.text !== "basepath") return [];
      const fault = findBasepathFault(value.text);
      if (fault === null) return [];
      return errorAt(locate(document, value), fault, {
        help: "write it like `/rpc` or `/{network}/rpc`",
      });
    }),

  "duplicate-header": ({ nodes }) =>
    findDuplicates(
      nodes.headers,
      ({ syntax, document }) => `${syntax.key.text} ${document.path}`,
    ).map(({ first, again }) =>
      errorAt(
        locate(again.document, again.syntax.key),
        `\`${again.syntax.key.text}\` is given twice`,
        {
          related: [
            relate(first.document, first.syntax.key, "first given here"),
          ],
          help: "keep one of them",
          ...(first.syntax.value.text === again.syntax.value.text &&
            removeFix(again.document, again.syntax.span)),
        },
      ),
    ),

  "duplicate-base-address": ({ nodes }) => {
    const addresses = nodes.aliases.flatMap(({ syntax, document }) => {
      const base = findMetadata(syntax, "base");
      return base ? { base, document } : [];
    });
    return findDuplicates(addresses, ({ document }) => document.path).map(
      ({ first, again }) =>
        errorAt(
          locate(again.document, again.base),
          "the document has two base addresses",
          {
            related: [relate(first.document, first.base, "first given here")],
            help: "move the services of one of them into a document of their own",
          },
        ),
    );
  },

  // Hosts get a folder each, so their names differ in letters and digits.
  "duplicate-host": ({ hosts }) =>
    findDuplicates(hosts, keyOf).map(({ first, again }) =>
      errorAt(
        locate(again.document, placeOfHost(again)),
        `two hosts have the name \`${again.name}\``,
        {
          related: [
            relate(first.document, placeOfHost(first), "the other one"),
          ],
          help: "give each document a `name` that differs in letters or digits",
        },
      ),
    ),

  // A member import names what the imported document declares. webrpc ignores
  // other names, so this is no error; where one is used, that is.
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
          .filter((member) => !names.has(member.text))
          .map((member) => {
            const place = locate(document, member);
            return warningAt(
              place,
              `\`${path}\` declares no \`${member.text}\``,
              changingContract(suggest(member.text, names, place)),
            );
          });
      }),
    );
  },

  // An `origin:` line says where a fact comes from in one of three words. A line
  // with another word stays what it is, a comment; where no document says such a
  // thing, only a mistyped word is worth a warning.
  "unknown-origin": ({ documents }) => {
    const stating = documents.filter(({ syntax }) =>
      syntax.source.text.includes("origin:"),
    );
    const isInUse = stating.some(({ syntax }) =>
      syntax.comments.some(({ text }) => parseOrigins(text) !== null),
    );
    return stating.flatMap((document) =>
      document.syntax.comments.flatMap(({ text, span }) =>
        findUnknownKinds(text).flatMap((word) => {
          const place = locate(document, {
            span: spanOfWord(document, span, word),
          });
          const suggestion = didYouMean(word, originKinds, place);
          if (!isInUse && suggestion.help === undefined) return [];
          return warningAt(place, `\`${word}\` is no kind of origin`, {
            notes: [`an origin is one of ${originKinds.join(", ")}`],
            ...suggestion,
          });
        }),
      ),
    );
  },
} satisfies CheckRules;

function findBasepathFault(path: string): string | null {
  if (/\s/.test(path)) return "`basepath` holds white space";
  if (path.includes("://")) return "`basepath` is a path, not an address";
  if (/[?#]/.test(path)) return "`basepath` holds a query or a fragment";
  if (/%(?![0-9a-fA-F]{2})/.test(path)) {
    return "`basepath` holds a `%` that no two hexadecimal digits follow";
  }
  const template = parsePathTemplate(path);
  for (const segment of template.segments) {
    if (segment.kind === "literal" && /[{}]/.test(segment.text)) {
      return `\`${segment.text}\` is not a parameter: \`{name}\` is a whole segment`;
    }
  }
  const [twice] = findDuplicates(parametersOf(template), (name) => name);
  return twice
    ? `\`basepath\` has the parameter \`${twice.again}\` twice`
    : null;
}

function keyOf({ name }: CheckedHost): string {
  const letters = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  return letters.toLowerCase() || name;
}

/** The `name` header, else the start of the document. */
function placeOfHost({ document }: CheckedHost): {
  readonly span: { readonly start: number; readonly end: number };
} {
  const header = document.syntax.items.find(
    (item) => item.kind === "header" && item.key.text === "name",
  );
  if (header?.kind === "header") return header.value;
  return { span: { start: 0, end: 0 } };
}

function findUnknownKinds(line: string): readonly string[] {
  return (splitOrigins(line) ?? [])
    .map(([word]) => word)
    .filter((word) => !originKinds.some((kind) => kind === word));
}

/** The word itself within the comment. */
function spanOfWord(
  { syntax }: LoadedDocument,
  { start, end }: Span,
  word: string,
): Span {
  const found = syntax.source.text.slice(start, end).lastIndexOf(word);
  return found === -1
    ? { start, end }
    : { start: start + found, end: start + found + word.length };
}
