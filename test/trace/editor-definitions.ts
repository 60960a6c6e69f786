import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { installedPackage } from "../support/installed-package.js";
import { tscPath } from "../support/run-tsc.js";
import {
  createProtocolConnection,
  DefinitionRequest,
  DidOpenTextDocumentNotification,
  InitializedNotification,
  InitializeRequest,
  LocationLink,
  type Position,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

/** A location in a file. */
export interface FilePlace extends Position {
  readonly path: string;
}

/** Asks a TypeScript language server for the definition at a location. */
export type FindDefinitions = (
  position: Position,
) => Promise<readonly FilePlace[]>;

/** Starts the language server of TypeScript 7 for a file. */
export async function startNative(
  path: string,
  text: string,
): Promise<FindDefinitions> {
  const child = spawn(tscPath, ["--lsp", "--stdio"]);
  onTestFinished(() => void child.kill());
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onRequest("client/registerCapability", () => null);
  connection.onRequest("workspace/configuration", () => [{}]);
  onTestFinished(() => connection.dispose());
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(resolve(path, "..")).href,
    capabilities: { textDocument: { definition: { linkSupport: true } } },
  });
  await connection.sendNotification(InitializedNotification.type, {});
  const uri = pathToFileURL(path).href;
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "typescript", version: 1, text },
  });
  return async ({ line, character }) => {
    const found = await connection.sendRequest(DefinitionRequest.type, {
      textDocument: { uri },
      position: { line, character },
    });
    return [found ?? []].flat().flatMap((each) =>
      LocationLink.is(each)
        ? {
            path: fileURLToPath(each.targetUri),
            ...each.targetSelectionRange.start,
          }
        : [],
    );
  };
}

/**
 * Starts the language server that editors use for versions before TypeScript 7.
 */
export async function startClassic(
  path: string,
  text: string,
): Promise<FindDefinitions> {
  const script = join(installedPackage("typescript-5.9"), "lib/tsserver.js");
  const child = spawn(process.execPath, [
    script,
    "--disableAutomaticTypingAcquisition",
  ]);
  onTestFinished(() => void child.kill());
  let received = "";
  const waiting = new Map<number, (body: unknown) => void>();
  child.stdout.on("data", (chunk) => {
    received += String(chunk);
    const lines = received.split("\n");
    received = lines.pop() ?? "";
    for (const line of lines.filter((each) => each.startsWith("{"))) {
      const { body, request_seq: seq } = JSON.parse(line);
      waiting.get(seq)?.(body);
    }
  });
  let last = 0;
  const send = (command: string, args: object): number => {
    last += 1;
    const message = { seq: last, type: "request", command, arguments: args };
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return last;
  };
  send("open", { file: path, fileContent: text });
  return async ({ line, character }) => {
    const seq = send("definition", {
      file: path,
      line: line + 1,
      offset: character + 1,
    });
    const body = await new Promise<unknown>((end) => waiting.set(seq, end));
    const found = Array.isArray(body) ? body : [];
    return found.map(({ file, start }) => ({
      path: file,
      line: start.line - 1,
      character: start.offset - 1,
    }));
  };
}
