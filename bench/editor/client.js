import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node.js";

const limitMs = 60_000;
/**
 * The kind of synchronization that sends only changes. Servers that do not
 * announce it get the whole text after each edit.
 */
const incremental = 2;

/**
 * Adds a time limit to a promise. The error names what did not arrive in time.
 */
async function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    const error = new Error(`waited ${limitMs / 1000} s for ${what}`);
    timer = setTimeout(reject, limitMs, error);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const languages = { ridl: "ridl", proto: "proto", ts: "typescript" };

/**
 * Starts a language server on a folder and opens a document. Returns the server
 * once it has published diagnostics of the document without errors. `readyMs` is
 * the time from the start of the process until then. A server that `pulls`
 * computes diagnostics only when it is asked, so it is returned at once.
 * Errors: throws if a wait takes too long, and stops the server.
 */
export async function startServer({ command, folder, file, pulls = false }) {
  const name = command.join(" ");
  const startedAt = performance.now();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(child.stdout),
    new protocol.StreamMessageWriter(child.stdin),
  );
  const uri = pathToFileURL(join(folder, file)).href;
  const found = new Map();
  let wake = () => {};
  connection.onNotification("textDocument/publishDiagnostics", (params) => {
    found.set(params.uri, params.diagnostics);
    wake();
  });
  // Servers wait for responses to these requests.
  connection.onRequest("workspace/configuration", ({ items }) =>
    items.map(() => null),
  );
  for (const method of [
    "client/registerCapability",
    "window/workDoneProgress/create",
    "workspace/codeLens/refresh",
    "workspace/semanticTokens/refresh",
  ]) {
    connection.onRequest(method, () => null);
  }
  connection.listen();
  const rootUri = pathToFileURL(folder).href;
  const request = (method, params) =>
    within(
      connection.sendRequest(method, params),
      `the answer to ${method} from ${name}`,
    );
  const stop = async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    connection.dispose();
    child.kill("SIGKILL");
    await gone;
  };
  const initialize = {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "bench" }],
    capabilities: {
      textDocument: {
        ...(pulls ? { diagnostic: {} } : { publishDiagnostics: {} }),
        rename: { prepareSupport: true },
      },
      workspace: { workspaceEdit: { documentChanges: true } },
    },
  };
  const text = readFileSync(join(folder, file), "utf8");
  const languageId = languages[file.split(".").at(-1)];
  /**
   * Waits until the server reports an error in the document, or diagnostics
   * without errors.
   */
  const until = async (isFaulty) => {
    const isThere = () => {
      const errors = found.get(uri)?.filter(({ severity }) => severity === 1);
      return errors !== undefined && errors.length > 0 === isFaulty;
    };
    const next = pulls
      ? async () => {
          const document = { textDocument: { uri } };
          const { items } = await request("textDocument/diagnostic", document);
          found.set(uri, items);
        }
      : () => new Promise((resolve) => (wake = resolve));
    if (pulls) found.delete(uri);
    const wait = async () => {
      while (!isThere()) await next();
    };
    const what = isFaulty ? "an error" : "diagnostics without errors";
    await within(wait(), `${what} in ${file} from ${name}`);
  };
  let takesParts = false;
  try {
    const { capabilities } = await request("initialize", initialize);
    const { textDocumentSync: sync } = capabilities;
    takesParts = (sync?.change ?? sync) === incremental;
    await connection.sendNotification("initialized", {});
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId, version: 1, text },
    });
    if (!pulls) await until(false);
  } catch (error) {
    await stop();
    throw error;
  }
  const readyMs = performance.now() - startedAt;
  let version = 1;
  let current = text;
  return {
    readyMs,
    uri,
    text,
    /**
     * Replaces the text between two offsets of the document. Returns the
     * milliseconds until diagnostics arrive that contain an error, or that
     * contain none if `isFaulty` is false.
     */
    async edit(from, to, replacement, isFaulty) {
      const start = positionOf(current, from);
      const end = positionOf(current, to);
      current = current.slice(0, from) + replacement + current.slice(to);
      const change = takesParts
        ? { range: { start, end }, text: replacement }
        : { text: current };
      const sentAt = performance.now();
      version += 1;
      await connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [change],
      });
      await until(isFaulty);
      return performance.now() - sentAt;
    },
    /**
     * Sends a request. Returns the response, and how long it took in
     * milliseconds.
     */
    async ask(method, params) {
      const sentAt = performance.now();
      const answer = await request(`textDocument/${method}`, {
        textDocument: { uri },
        ...params,
      });
      return { answer, ms: performance.now() - sentAt };
    },
    /** Returns the peak memory of the process in MB. */
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    stop,
  };
}

/** Returns the line and character of an offset. */
export function positionOf(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}
