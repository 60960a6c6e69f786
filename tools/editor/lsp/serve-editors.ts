import type { Readable, Writable } from "node:stream";
import type {
  InitializeParams,
  InitializeResult,
} from "vscode-languageserver-protocol";
import { answerRequests, type ClientAbilities } from "./answer-requests.js";
import { capabilities, templateRegistrations } from "./capabilities.js";
import type { EditorSystem, FolderWatcher } from "./editor-system.js";
import { checkParams } from "./protocol/valid-params.js";
import { Connection } from "./rpc/connection.js";
import { RequestError } from "./rpc/messages.js";
import { EditorWorkspace } from "./workspace.js";

/** The streams that carry messages. */
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
  const log = (message: string): void =>
    connection.notify("window/logMessage", { type: errorMessage, message });
  const connection = new Connection(output, log);
  const server = new Server(connection, system, log);
  const done = new Promise<boolean>((resolve) => {
    const end = (): void => resolve(server.isShutDown);
    server.onAbandoned = end;
    connection.onNotification("exit", end);
    // A client may close its stream right after `exit`.
    const endLater = (): void => connection.afterQueue(end);
    input.once("error", end).once("end", endLater).once("close", endLater);
    output.on("error", end).once("close", end);
  });
  const stop = connection.listen(input);
  const isShutDown = await done;
  server.dispose();
  stop();
  input.pause();
  return isShutDown;
}

/** The value of `MessageType.Error`. */
const errorMessage = 1;

/**
 * Interval at which the server checks whether its client is still running, in
 * milliseconds.
 */
const clientCheckMs = 2_000;

/** Handles a session from `initialize` to `exit`. */
class Server {
  readonly #connection: Connection;
  readonly #system: EditorSystem;
  readonly #log: (text: string) => void;
  #workspace: EditorWorkspace | null = null;
  #folders: readonly string[] = [];
  /** Whether the client accepts registrations after the start. */
  #registersLater = false;
  readonly #watcher: FolderWatcher;
  #isShutDown = false;
  #clientCheck: NodeJS.Timeout | null = null;
  /** Called if the client's process exits without notice. */
  onAbandoned = (): void => {};

  constructor(
    connection: Connection,
    system: EditorSystem,
    log: (text: string) => void,
  ) {
    this.#connection = connection;
    this.#system = system;
    this.#log = log;
    this.#watcher = system.watch(() => this.#workspace?.scheduleRefresh(), log);
    connection.onRequest("initialize", (params) => this.#initialize(params));
    connection.onNotification("initialized", () => {
      if (this.#registersLater) {
        connection.request("client/registerCapability", {
          registrations: [...templateRegistrations],
        });
      }
      for (const uri of this.#folders) {
        this.#guard(this.#workspace?.addFolder(uri));
      }
    });
    connection.onRequest("shutdown", () => {
      this.#isShutDown = true;
    });
    this.#followDocuments();
  }

  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  dispose(): void {
    if (this.#clientCheck !== null) clearInterval(this.#clientCheck);
    this.#watcher.stop();
    this.#workspace?.dispose();
  }

  #initialize(params: InitializeParams): InitializeResult {
    if (this.#workspace !== null) {
      const message = "the server is already initialized";
      throw new RequestError("invalidRequest", message);
    }
    checkParams(params, "initialize");
    const abilities = readAbilities(params);
    this.#registersLater =
      params.capabilities.textDocument?.synchronization?.dynamicRegistration ===
      true;
    const { rootUri, workspaceFolders } = params;
    this.#folders =
      workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    const workspace = new EditorWorkspace(this.#system, {
      publish: (published) =>
        this.#connection.notify("textDocument/publishDiagnostics", published),
      watch: (folders) => this.#watcher.follow(folders),
      refreshLenses: () => {
        if (!abilities.refreshesLenses) return;
        this.#connection.request("workspace/codeLens/refresh");
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
   * wrapper, can keep the input open. If the client's process does not exist on
   * this machine, the client runs elsewhere and is not checked.
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
    connection.onNotification("textDocument/didOpen", ({ textDocument }) =>
      this.#workspace?.open(textDocument),
    );
    connection.onNotification("textDocument/didChange", (params) =>
      this.#workspace?.change(params),
    );
    connection.onNotification("textDocument/didClose", ({ textDocument }) =>
      this.#workspace?.close(textDocument.uri),
    );
    connection.onNotification("workspace/didChangeWatchedFiles", () =>
      this.#workspace?.scheduleRefresh(),
    );
    connection.onNotification(
      "workspace/didChangeWorkspaceFolders",
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

  /** Logs failures, because they must not stop the server. */
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
    // Most clients do not know whether the user trusts a workspace.
    isTrusted: Reflect.get(Object(options), "isTrusted") !== false,
  };
}
