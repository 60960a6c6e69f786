import type {
  CodeLens,
  Location,
  LocationLink,
  SelectionRange,
} from "vscode-languageserver-protocol";
import { TextDocument } from "vscode-languageserver-textdocument";
import type * as results from "../service/model/results.js";
import {
  chooseCompletions,
  toCompletionItem,
  toMarkup,
  toSignatureHelp,
} from "./protocol/completions.js";
import {
  actionKinds,
  toCodeAction,
  toTextEdits,
  toWorkspaceEdit,
} from "./protocol/edits.js";
import {
  toLocation,
  toLocationLink,
  toRange,
  toSpan,
} from "./protocol/places.js";
import {
  toDocumentSymbol,
  toFoldingRange,
  toSemanticTokens,
  toWorkspaceSymbol,
} from "./protocol/symbols.js";
import { checkParams, requirePresent } from "./protocol/valid-params.js";
import { type Connection, throwIfCanceled } from "./rpc/connection.js";
import {
  RequestError,
  type RpcMethod,
  type ParamsOf,
  type ResultOf,
} from "./rpc/messages.js";
import type { RequestedDocument, EditorWorkspace } from "./workspace.js";

/** The abilities of a client that affect responses. */
export interface ClientAbilities {
  /** Whether it places the cursor at `$0` in a completion. */
  readonly hasSnippets: boolean;
  /** Whether it accepts definitions with the span of the whole declaration. */
  readonly hasLinks: boolean;
  /** Whether it compares versions before applying edits. */
  readonly hasVersions: boolean;
  readonly refreshesLenses: boolean;
  /** Whether it has the command `ridl.showPlaces` for code lenses. */
  readonly showsPlaces: boolean;
  /**
   * Whether the user trusts the workspace. If not, the server does not run git
   * there.
   */
  readonly isTrusted: boolean;
}

/** Answers every request about documents. */
export function answerRequests(
  connection: Connection,
  workspace: EditorWorkspace,
  abilities: ClientAbilities,
): void {
  const answer: RegisterReply = (method, reply) =>
    connection.onRequest(method, async (params, cancellation) => {
      checkParams(params, "document");
      const asked = await workspace.ask(params.textDocument.uri);
      throwIfCanceled(cancellation);
      return asked === null ? null : reply(asked, requirePresent(params));
    });
  answerNavigation(answer, abilities);
  answerOutline(answer);
  answerHints(answer, workspace, abilities);
  answerCompletion(connection, answer, abilities);
  answerEdits(answer, abilities);
  connection.onRequest("ridl/findOrigin", async (params) => {
    checkParams(params, "generated");
    const { position, text, textDocument } = params;
    const output = await workspace.findOutput(textDocument.uri);
    if (output === null) return null;
    const { path, session } = output;
    const file = TextDocument.create(textDocument.uri, "typescript", 0, text);
    const offset = file.offsetAt(position);
    const target = session.service.origin({ path, text }, offset);
    return target && toLocationLink(target, file, session);
  });
  connection.onRequest("workspace/symbol", async (params) => {
    checkParams(params, "query");
    const sessions = await workspace.sessions();
    return sessions.flatMap((session) =>
      session.service
        .workspaceSymbols(params.query)
        .map((symbol) => toWorkspaceSymbol(symbol, session)),
    );
  });
}

/** Registers the reply to a request about an open document. */
type RegisterReply = <Name extends RpcMethod>(
  method: Name,
  reply: (
    asked: RequestedDocument,
    params: ParamsOf<Name>,
  ) => ResultOf<Name> | null,
) => void;

function answerNavigation(
  answer: RegisterReply,
  { hasLinks }: ClientAbilities,
): void {
  const linksTo = (
    targets: readonly results.LinkTarget[],
    { session, text }: RequestedDocument,
  ): LocationLink[] | Location[] =>
    hasLinks
      ? targets.map((each) => toLocationLink(each, text, session))
      : targets.map(({ nameSpan: span, path }) =>
          toLocation({ path, span }, session),
        );
  answer("textDocument/definition", (asked, { position }) => {
    const { path, session, text } = asked;
    const offset = text.offsetAt(position);
    return linksTo(session.answersFor(path).definition(path, offset), asked);
  });
  answer("textDocument/typeDefinition", (asked, { position }) => {
    const { path, session, text } = asked;
    const offset = text.offsetAt(position);
    return linksTo(session.service.typeDefinition(path, offset), asked);
  });
  answer(
    "textDocument/references",
    ({ path, session, text }, { context, position }) =>
      session.service
        .references(path, text.offsetAt(position), context.includeDeclaration)
        .map((place) => toLocation(place, session)),
  );
  answer(
    "textDocument/documentHighlight",
    ({ path, session, text }, { position }) =>
      session.service
        .references(path, text.offsetAt(position), true)
        .filter((place) => place.path === path)
        .map(({ span }) => ({ range: toRange(text, span) })),
  );
  answer("textDocument/documentLink", ({ path, session, text }) =>
    session.service.documentLinks(path).map((link) => ({
      range: toRange(text, link.span),
      target: session.uriOf(link.path),
    })),
  );
}

function answerOutline(answer: RegisterReply): void {
  answer("textDocument/documentSymbol", ({ path, session, text }) =>
    session.service
      .documentSymbols(path)
      .map((symbol) => toDocumentSymbol(symbol, text)),
  );
  answer("textDocument/semanticTokens/full", ({ path, session, text }) =>
    toSemanticTokens(session.service.semanticTokens(path), text),
  );
  answer(
    "textDocument/semanticTokens/range",
    ({ path, session, text }, { range }) =>
      toSemanticTokens(
        session.service.semanticTokens(path, toSpan(text, range)),
        text,
      ),
  );
  answer("textDocument/foldingRange", ({ path, session, text }) =>
    session.service
      .foldingRanges(path)
      .map((range) => toFoldingRange(range, text)),
  );
  answer(
    "textDocument/selectionRange",
    ({ path, session, text }, { positions }) =>
      positions.map((position) => {
        const spans = session.service.selectionRanges(
          path,
          text.offsetAt(position),
        );
        const nothing: SelectionRange = {
          range: { start: position, end: position },
        };
        return (
          spans.reduceRight<SelectionRange | undefined>(
            (parent, span) => ({
              range: toRange(text, span),
              ...(parent !== undefined && { parent }),
            }),
            undefined,
          ) ?? nothing
        );
      }),
  );
}

function answerHints(
  answer: RegisterReply,
  workspace: EditorWorkspace,
  { isTrusted, showsPlaces }: ClientAbilities,
): void {
  answer("textDocument/hover", ({ path, session, text }, { position }) => {
    const offset = text.offsetAt(position);
    const hover = session.answersFor(path).hover(path, offset);
    return (
      hover && {
        contents: toMarkup(hover.markdown),
        range: toRange(text, hover.span),
      }
    );
  });
  answer("textDocument/codeLens", ({ path, session, text }): CodeLens[] => {
    if (isTrusted) workspace.wantBase(session);
    return session.service.codeLenses(path).map(({ places, span, title }) => {
      const range = toRange(text, span);
      const locations = places.map((place) => toLocation(place, session));
      // A lens with an empty command shows only its title.
      const command =
        showsPlaces && locations.length > 0
          ? {
              command: "ridl.showPlaces",
              arguments: [session.uriOf(path), range.start, locations],
            }
          : { command: "" };
      return { range, command: { title, ...command } };
    });
  });
  answer("textDocument/inlayHint", ({ path, session, text }, { range }) =>
    session.service
      .inlayHints(path, toSpan(text, range))
      .map(({ docs, label, offset }) => ({
        position: text.positionAt(offset),
        label,
        tooltip: toMarkup(docs),
        paddingLeft: true,
      })),
  );
}

function answerCompletion(
  connection: Connection,
  answer: RegisterReply,
  { hasSnippets }: ClientAbilities,
): void {
  // Clients resolve items from the last list. Older items are ignored.
  let list: readonly results.Completion[] = [];
  let serial = 0;
  answer("textDocument/completion", ({ path, session, text }, { position }) => {
    const offset = text.offsetAt(position);
    const all = session.answersFor(path).complete(path, offset);
    list = chooseCompletions(all, text.getText());
    serial += 1;
    return {
      isIncomplete: list.length < all.length,
      items: list.map((completion, index) =>
        toCompletionItem(completion, text, { serial, index }, hasSnippets),
      ),
    };
  });
  connection.onRequest("completionItem/resolve", (item) => {
    const { data } = item;
    if (data?.serial !== serial) return item;
    const docs = list[data.index]?.docs ?? "";
    return docs === "" ? item : { ...item, documentation: toMarkup(docs) };
  });
  answer(
    "textDocument/signatureHelp",
    ({ path, session, text }, { position }) => {
      const help = session.service.signatureHelp(path, text.offsetAt(position));
      return help && toSignatureHelp(help);
    },
  );
}

function answerEdits(
  answer: RegisterReply,
  { hasVersions }: ClientAbilities,
): void {
  answer("textDocument/formatting", ({ path, session, text }) =>
    toTextEdits(session.service.format(path), text),
  );
  answer("textDocument/rangeFormatting", ({ path, session, text }, { range }) =>
    toTextEdits(session.service.format(path, toSpan(text, range)), text),
  );
  answer(
    "textDocument/prepareRename",
    ({ path, session, text }, { position }) => {
      const offset = text.offsetAt(position);
      const start = session.service.prepareRename(path, offset);
      return (
        start && { range: toRange(text, start.span), placeholder: start.name }
      );
    },
  );
  answer(
    "textDocument/rename",
    ({ path, session, text }, { newName, position }) => {
      const offset = text.offsetAt(position);
      // The rename also edits closed files, whose changes may not be known yet.
      session.reloadChanged();
      const renamed = session.service.rename(path, offset, newName);
      if (renamed.kind === "edits") {
        return toWorkspaceEdit(renamed.edits, session, hasVersions);
      }
      throw new RequestError("requestFailed", renamed.message);
    },
  );
  answer(
    "textDocument/codeAction",
    ({ path, session, text }, { context, range }) =>
      session.service
        .codeActions(path, toSpan(text, range))
        .filter(({ kind }) => isWanted(actionKinds[kind], context.only))
        .map((action) =>
          toCodeAction(action, context.diagnostics, session, hasVersions),
        ),
  );
}

/** Whether a kind of action, such as `refactor.extract`, is requested. */
function isWanted(kind: string, only: readonly string[] | undefined): boolean {
  return (
    only === undefined ||
    only.some((each) => kind === each || kind.startsWith(`${each}.`))
  );
}
