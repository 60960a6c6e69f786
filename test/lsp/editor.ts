import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  LogMessageNotification,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  WorkspaceSymbolRequest,
  type ClientCapabilities,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextDocumentContentChangeEvent,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { main } from "../../cli/main.js";
import { createNodeSystem } from "../../cli/node/node-system.js";
import type { System } from "../../cli/system/system.js";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";

/** A client of `ridl lsp` with a separate folder. */
export interface Editor {
  readonly connection: ProtocolConnection;
  readonly sandbox: Sandbox;
  readonly initialized: InitializeResult;
  /** All diagnostics that the server has published, in order. */
  readonly history: readonly PublishDiagnosticsParams[];
  /** The server's error messages. */
  readonly logged: readonly string[];
  /** A stream for raw bytes to the server. */
  readonly input: Writable;
  /** The raw bytes from the server. */
  readonly output: Readable;
  /** The exit code, available once the server has ended. */
  readonly done: Promise<number>;
  uriOf(path: string): string;
  /** Opens a document with the given text, or with the text on disk. */
  open(path: string, text?: string): Promise<TextDocument>;
  change(
    path: string,
    changes: TextDocumentContentChangeEvent[],
  ): Promise<TextDocument>;
  close(path: string): Promise<void>;
  /** Returns the text of an open document. */
  textOf(path: string): string;
  /** Returns the position of a string in an open document. */
  positionOf(path: string, text: string, behind?: number): Position;
  /**
   * Returns the latest diagnostics of a document. If the document is open, the
   * diagnostics are for its newest version.
   */
  diagnosticsOf(path: string): Promise<readonly Diagnostic[]>;
  /**
   * Returns the latest diagnostics of a URI, for a version or for a document
   * that is not open.
   */
  diagnosticsAt(uri: string, version?: number): Promise<readonly Diagnostic[]>;
  /** Shuts down the server and exits. Returns the exit code. */
  end(): Promise<number>;
}

/** The default capabilities of the client. */
const allCapabilities: ClientCapabilities = {
  workspace: {
    codeLens: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
  },
  textDocument: {
    definition: { linkSupport: true },
    completion: { completionItem: { snippetSupport: true } },
  },
};

/** A running server. */
export interface Run {
  readonly streams: { readonly input: Writable; readonly output: Readable };
  /** The exit code, available once the server has ended. */
  readonly done: Promise<number>;
}

/** A server in its own process. */
export interface ServerProcess extends Run {
  /** Returns what the server has printed to standard error. */
  errors(): string;
}

/** Runs a program as editors do. By default, it is the built `ridl lsp`. */
export function startProcess(
  folder: string,
  command: readonly string[] = [resolve("bin/ridl.js"), "lsp", "--stdio"],
): ServerProcess {
  const child = spawn(process.execPath, command, { cwd: folder });
  onTestFinished(() => void child.kill());
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  child.stdin.on("error", () => {});
  return {
    streams: { input: child.stdin, output: child.stdout },
    errors: () => errors,
    done: new Promise((end) => child.once("close", (code) => end(code ?? -1))),
  };
}

/** Runs the command in this process. `patch` replaces parts of the system. */
export function startHere(
  folder: string,
  patch: (system: System) => Partial<System> = () => ({}),
): Run {
  const input = new PassThrough();
  const output = new PassThrough();
  onTestFinished(() => void input.destroy());
  const system = createNodeSystem({ workingFolder: folder });
  const streams = { input, output };
  return {
    streams,
    done: main(["lsp"], {
      ...system,
      openStreams: () => streams,
      ...patch(system),
    }),
  };
}

/** Connects a client to a running server. */
export function connect({ streams }: Run): ProtocolConnection {
  const connection = createProtocolConnection(
    new StreamMessageReader(streams.output),
    new StreamMessageWriter(streams.input),
  );
  onTestFinished(() => connection.dispose());
  connection.listen();
  return connection;
}

function isSandbox(
  files: Readonly<Record<string, string>> | Sandbox,
): files is Sandbox {
  return typeof files["root"] === "string" && "snapshot" in files;
}

/**
 * Starts a server on a sandbox, or on a new one with `files`, and initializes
 * it.
 */
export async function startEditor(
  files: Readonly<Record<string, string>> | Sandbox,
  start: (folder: string) => Run = startHere,
  {
    capabilities = allCapabilities,
    isTrusted = true,
    processId = process.pid,
  } = {},
): Promise<Editor> {
  const sandbox = isSandbox(files) ? files : createSandbox(files);
  const run = start(sandbox.root);
  const { done, streams } = run;
  const connection = connect(run);
  const logged: string[] = [];
  connection.onNotification(LogMessageNotification.type, ({ message }) => {
    logged.push(message);
  });
  const history: PublishDiagnosticsParams[] = [];
  const published = new Map<string, PublishDiagnosticsParams>();
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.set(params.uri, params);
    history.push(params);
  });
  const uriOf = (path: string): string =>
    pathToFileURL(join(sandbox.root, path)).href;
  const rootUri = pathToFileURL(sandbox.root).href;
  const initialized = await connection.sendRequest(InitializeRequest.type, {
    processId,
    rootUri,
    capabilities,
    workspaceFolders: [{ uri: rootUri, name: "test" }],
    initializationOptions: { isTrusted, showsPlaces: true },
  });
  await connection.sendNotification(InitializedNotification.type, {});
  const documents = new Map<string, TextDocument>();
  // Versions never repeat, even if a document is closed and reopened.
  let version = 0;
  const known = (path: string): TextDocument => {
    const document = documents.get(path);
    if (document === undefined) throw new Error(`${path} is not open`);
    return document;
  };
  const diagnosticsAt: Editor["diagnosticsAt"] = async (uri, version) => {
    await expect.poll(() => published.get(uri)?.version).toBe(version);
    // More diagnostics of a document may follow the first ones. The server
    // sends them before it answers any request.
    await connection.sendRequest(WorkspaceSymbolRequest.type, { query: "" });
    return published.get(uri)?.diagnostics ?? [];
  };
  return {
    connection,
    sandbox,
    initialized,
    logged,
    history,
    ...streams,
    done,
    uriOf,
    async open(path, text = sandbox.read(path)) {
      const uri = uriOf(path);
      version += 1;
      const languageId = path.endsWith(".hbs") ? "handlebars" : "ridl";
      const textDocument = { uri, languageId, version, text };
      documents.set(path, TextDocument.create(uri, languageId, version, text));
      await connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument,
      });
      return known(path);
    },
    async change(path, contentChanges) {
      const document = known(path);
      version += 1;
      TextDocument.update(document, contentChanges, version);
      await connection.sendNotification(
        DidChangeTextDocumentNotification.type,
        { textDocument: { uri: uriOf(path), version }, contentChanges },
      );
      return document;
    },
    async close(path) {
      documents.delete(path);
      await connection.sendNotification(DidCloseTextDocumentNotification.type, {
        textDocument: { uri: uriOf(path) },
      });
    },
    textOf: (path) => known(path).getText(),
    positionOf(path, text, behind = 0) {
      const document = known(path);
      const offset = document.getText().indexOf(text);
      if (offset === -1) throw new Error(`${path} does not have ${text}`);
      return document.positionAt(offset + behind);
    },
    diagnosticsOf: (path) =>
      diagnosticsAt(uriOf(path), documents.get(path)?.version),
    diagnosticsAt,
    async end() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      return done;
    },
  };
}
