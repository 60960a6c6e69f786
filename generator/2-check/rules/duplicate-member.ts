import type { Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { CheckCode } from "../../diagnostics/catalogue.js";
import type { Program } from "../program/program.js";
import { foldName } from "../program/scope.js";
import { findDuplicates } from "../report/duplicates.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** What a declaration consists of, where two may not have one name. */
interface Members {
  readonly document: LoadedDocument;
  /** E.g. ``struct `User` ``. */
  readonly owner: string;
  readonly members: readonly { readonly name: Word }[];
}

/** One kind of members. */
interface MemberKind {
  readonly code: CheckCode;
  readonly what: string;
  /** What two names have in common that are the same. */
  readonly keyOf: (name: string) => string;
  readonly help: string;
  readonly lists: (nodes: Program["nodes"]) => readonly Members[];
}

const exactly = (name: string): string => name;
const help = "rename or remove one of them";

const kinds: readonly MemberKind[] = [
  {
    code: "duplicate-argument",
    what: "argument",
    keyOf: exactly,
    help,
    lists: ({ messages }) =>
      messages.map(({ syntax, document, owner }) => ({
        document,
        owner: `method \`${owner.name.text}\``,
        members: syntax.arguments,
      })),
  },
  {
    code: "duplicate-enum-member",
    what: "member",
    keyOf: exactly,
    help,
    lists: ({ enums }) =>
      enums.map(({ syntax, document }) => ({
        document,
        owner: `enum \`${syntax.name.text}\``,
        members: syntax.members,
      })),
  },
  {
    code: "duplicate-field",
    what: "field",
    keyOf: foldName,
    help,
    lists: ({ structs }) =>
      structs.map(({ syntax, document }) => ({
        document,
        owner: `struct \`${syntax.name.text}\``,
        members: syntax.fields,
      })),
  },
  {
    code: "duplicate-method",
    what: "method",
    keyOf: foldName,
    help: "rename one of them, or merge their arguments",
    lists: ({ services }) =>
      services.map(({ syntax, document }) => ({
        document,
        owner: `service \`${syntax.name.text}\``,
        members: syntax.methods,
      })),
  },
];

/** What a declaration consists of has different names. */
export const duplicateMember: Rule = ({ nodes }) =>
  kinds.flatMap((kind) =>
    kind.lists(nodes).flatMap(({ document, owner, members }) =>
      findDuplicates(members, ({ name }) => kind.keyOf(name.text)).map(
        ({ first, again }) =>
          reportError(
            kind.code,
            locate(document, again.name),
            `${kind.what} \`${again.name.text}\` is declared twice in ${owner}`,
            {
              related: [relate(document, first.name, "first declared here")],
              help: kind.help,
            },
          ),
      ),
    ),
  );
