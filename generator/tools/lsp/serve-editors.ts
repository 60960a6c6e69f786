import type { Readable, Writable } from "node:stream";
import {
  CodeLensRefreshRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ErrorCodes,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  LogMessageNotification,
  LSPErrorCodes,
  Message,
  MessageType,
  PublishDiagnosticsNotification,
  ResponseError,
  ShutdownRequest,
  type InitializeParams,
  type ProtocolConnection,
} from "vscode-languageserver-protocol/node";
import { answerRequests, type ClientAbilities } from "./answer-requests.js";
import { capabilities } from "./capabilities.js";
import { DirectWriter } from "./direct-writer.js";
import type { EditorSystem } from "./editor-system.js";
import { checkParams } from "./protocol/valid-params.js";
import { RecoveringReader } from "./recovering-reader.js";
import { EditorWorkspace } from "./workspace.js";

/** The streams of messages. */
export interface EditorStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves the Language Server Protocol until the client exits or disappears.
 * Returns whether the client requested `shutdown` first. Never throws, whatever
 * the client sends.
 */
export async function serveEditors(
  system: EditorSystem,
  { input, output }: EditorStreams,
): Promise<boolean> {
  const connection = createProtocolConnection(
    new RecoveringReader(input),
    new DirectWriter(output),
    createLogger((text) => log(text)),
    {
      // Cancelled requests are not started.
      connectionStrategy: {
        cancelUndispatched: (request) => {
          if (!Message.isRequest(request)) return undefined;
          const { RequestCancelled: code } = LSPErrorCodes;
          const error = { code, message: "cancelled" };
          return { jsonrpc: "2.0", id: request.id, error };
        },
      },
    },
  );
  const send = async (message: string): Promise<void> =>
    connection.sendNotification(LogMessageNotification.type, {
      type: MessageType.Error,
      message,
    });
  // A closed connection throws, but then no client is left to inform.
  const log = (message: string): void => void send(message).catch(() => {});
  connection.onError(([error]) => log(error.message));
  const server = new Server(connection, system, log);
  const done = new Promise<boolean>((resolve) => {
    const end = (): void => resolve(server.isShutDown);
    server.onAbandoned = end;
    connection.onNotification(ExitNotification.type, end);
    connection.onClose(end);
    input.once("end", end).once("close", end);
    output.once("error", end).once("close", end);
  });
  connection.listen();
  const isShutDown = await done;
  server.dispose();
  connection.dispose();
  input.pause();
  return isShutDown;
}

function createLogger(write: (text: string) => void) {
  const ignore = (): void => {};
  return { error: write, warn: ignore, info: ignore, log: ignore };
}

/** Interval at which the server checks whether its client is still running. */
const clientCheckMs = 2_000;

/** Handles a session from `initialize` to `exit`. */
class Server {
  readonly #connection: ProtocolConnection;
  readonly #system: EditorSystem;
  readonly #log: (text: string) => void;
  #workspace: EditorWorkspace | null = null;
  #folders: readonly string[] = [];
  #stopWatching = (): void => {};
  #watched = "";
  #isShutDown = false;
  #clientCheck: NodeJS.Timeout | null = null;
  /** Called if the process of the client ends without notice. */
  onAbandoned = (): void => {};

  constructor(
    connection: ProtocolConnection,
    system: EditorSystem,
    log: (text: string) => void,
  ) {
    this.#connection = connection;
    this.#system = system;
    this.#log = log;
    connection.onRequest(InitializeRequest.type, (params) =>
      this.#initialize(params),
    );
    connection.onNotification(InitializedNotification.type, () => {
      for (const uri of this.#folders) {
        this.#guard(this.#workspace?.addFolder(uri));
      }
    });
    connection.onRequest(ShutdownRequest.type, () => {
      this.#isShutDown = true;
    });
    this.#followDocuments();
  }

  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  dispose(): void {
    if (this.#clientCheck !== null) clearInterval(this.#clientCheck);
    this.#stopWatching();
    this.#workspace?.dispose();
  }

  #initialize(params: InitializeParams) {
    if (this.#workspace !== null) {
      const message = "the server is already initialized";
      throw new ResponseError(ErrorCodes.InvalidRequest, message);
    }
    checkParams(params, "initialize");
    const abilities = readAbilities(params);
    const { rootUri, workspaceFolders } = params;
    this.#folders =
      workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    const workspace = new EditorWorkspace(this.#system, {
      publish: (published) =>
        this.#guard(
          this.#connection.sendNotification(
            PublishDiagnosticsNotification.type,
            published,
          ),
        ),
      watch: (folders) => this.#watch(folders),
      refreshLenses: () => {
        if (!abilities.refreshesLenses) return;
        this.#guard(this.#connection.sendRequest(CodeLensRefreshRequest.type));
      },
      failed: (error) => this.#fail(error),
    });
    this.#workspace = workspace;
    answerRequests(this.#connection, workspace, abilities);
    this.#watchClient(params.processId);
    const { version } = this.#system;
    return { capabilities, serverInfo: { name: "ridl", version } };
  }

  /**
   * Checks whether the client is running, because another process, such as a
   * wrapper, can keep the input open. A process that is unknown here belongs to
   * another machine.
   */
  #watchClient(processId: number | null): void {
    const isRunning = (): boolean =>
      typeof processId === "number" && this.#system.isRunning(processId);
    if (!isRunning()) return;
    this.#clientCheck = setInterval(() => {
      if (!isRunning()) this.onAbandoned();
    }, clientCheckMs);
  }

  #followDocuments(): void {
    const connection = this.#connection;
    connection.onNotification(
      DidOpenTextDocumentNotification.type,
      ({ textDocument }) => this.#workspace?.open(textDocument),
    );
    connection.onNotification(
      DidChangeTextDocumentNotification.type,
      (params) => this.#workspace?.change(params),
    );
    connection.onNotification(
      DidCloseTextDocumentNotification.type,
      ({ textDocument }) => this.#workspace?.close(textDocument.uri),
    );
    connection.onNotification(DidChangeWatchedFilesNotification.type, () =>
      this.#workspace?.scheduleRefresh(),
    );
    connection.onNotification(
      DidChangeWorkspaceFoldersNotification.type,
      ({ event }) => {
        for (const { uri } of event.added) {
          this.#guard(this.#workspace?.addFolder(uri));
        }
        for (const { uri } of event.removed) {
          this.#workspace?.removeFolder(uri);
        }
      },
    );
  }

  #watch(folders: readonly string[]): void {
    const watched = JSON.stringify(folders);
    if (watched === this.#watched) return;
    this.#watched = watched;
    const stopBefore = this.#stopWatching;
    this.#stopWatching = this.#system.watch(folders, () =>
      this.#workspace?.scheduleRefresh(),
    );
    stopBefore();
  }

  /** Logs failures, because none of them may end the server. */
  #guard(promise: Promise<unknown> | undefined): void {
    promise?.catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#log(error instanceof Error ? (error.stack ?? "") : String(error));
  }
}

function readAbilities({
  capabilities: client,
  initializationOptions: options,
}: InitializeParams): ClientAbilities {
  const { textDocument, workspace } = client;
  const item = textDocument?.completion?.completionItem;
  return {
    hasSnippets: item?.snippetSupport === true,
    hasLinks: textDocument?.definition?.linkSupport === true,
    hasVersions: workspace?.workspaceEdit?.documentChanges === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    showsPlaces: Reflect.get(Object(options), "showsPlaces") === true,
  };
}
