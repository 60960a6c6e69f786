import { docsEmitter } from "../../../generator/4-emit/docs/docs.js";
import { emitContract } from "../../../generator/4-emit/emit.js";
import type {
  EmitOptions,
  OutputFile,
} from "../../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../../generator/4-emit/registry.js";
import { mockEmitter } from "../../../generator/4-emit/typescript/mock/mock.js";
import { createPlan } from "../../../generator/4-emit/typescript/plan/create-plan.js";
import type { Contract } from "../../../generator/ir/contract.js";
import { toCall } from "../../../tools/loaded.js";
import {
  createMockServer,
  mockServerFiles,
} from "../../../tools/mock/mock-server.js";
import { compileSources } from "../worker/compile-sources.js";
import { offer } from "../worker/remote.js";
import type { FrameMessage, MockMessage } from "./frame-protocol.js";
import { createModuleLoader } from "./load-modules.js";
import type { MockApi } from "./mock-api.js";

/** The default address of `ridl mock`, so that snippets work with it. */
const address = "http://localhost:8080";

/** Options for the generated code that this worker runs. */
const codeOptions: EmitOptions = {
  language: "javascript",
  declarations: false,
  int64: "bigint",
  timestamp: "string",
  runtime: "copy",
  runtimeFiles: mockServerFiles,
  importExtension: ".js",
};

type MockFetch = (request: Request) => Promise<Response>;

const api: MockApi = {
  async start(documents, port) {
    const contract = compileSources(new Map(documents));
    if (contract === null || contract.hosts.length === 0) return null;
    const answer = await createAnswer(contract);
    serve(port, answer);
    const addresses = contract.hosts.map(({ name }) => [name, address]);
    const docs = { addresses: Object.fromEntries(addresses) };
    const files = docsEmitter.with(docs).emit(contract, codeOptions);
    return printPage(files);
  },
};

/** Prints the page of the explorer, with downloads embedded in their links. */
function printPage([page, ...downloads]: readonly OutputFile[]): string | null {
  if (page === undefined) return null;
  return downloads.reduce((html, { path, text }) => {
    const name = encodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
    const data = `data:text/plain,${encodeURIComponent(text)}`;
    return html.replace(`href="${name}"`, () => `href="${data}"`);
  }, page.text);
}

/** Generates a mock server and loads it. */
async function createAnswer(contract: Contract): Promise<MockFetch> {
  const runtime = await fetch(new URL("runtime.json", import.meta.url));
  const runtimeSources = new Map<string, string>(await runtime.json());
  const chosen = emitters.filter(({ name }) => targets.has(name));
  const files = emitContract(contract, [...chosen, mockEmitter], codeOptions, {
    runtimeSources,
  });
  const load = createModuleLoader(files);
  const plan = createPlan(contract, codeOptions);
  const behavior = {
    seed: "playground",
    latencyMs: [0, 0],
    errorRate: 0,
    overrides: new Map(),
  } as const;
  // Prints nothing, because the explorer shows failures as responses.
  const print = (): void => {};
  const server = await createMockServer({ plan, load, print }, behavior);
  const call = toCall(server, "fetch");
  return async (request) => {
    const response = await call(request);
    if (response instanceof Response) return response;
    throw new TypeError("the mock server did not respond");
  };
}

/** The targets that a server needs. */
const targets: ReadonlySet<string> = new Set([
  "types",
  "errors",
  "validators",
  "codecs",
  "server",
]);

/** Handles requests from a port. */
function serve(port: MessagePort, answer: MockFetch): void {
  const running = new Map<number, AbortController>();
  port.onmessage = async ({ data }: MessageEvent<FrameMessage>) => {
    if (data.kind === "abort") return running.get(data.id)?.abort();
    const { id } = data;
    const controller = new AbortController();
    running.set(id, controller);
    const send = (message: MockMessage): void => port.postMessage(message);
    try {
      await answerRequest(data, controller.signal, answer, send);
    } catch (error) {
      send({ kind: "failed", id, message: String(error) });
    }
    running.delete(id);
  };
}

async function answerRequest(
  { body, headers, id, method, url }: FrameMessage & { kind: "request" },
  signal: AbortSignal,
  answer: MockFetch,
  send: (message: MockMessage) => void,
): Promise<void> {
  const init = { method, headers: new Headers([...headers]), body, signal };
  const response = await answer(new Request(url, init));
  const { status, statusText } = response;
  send({
    kind: "head",
    id,
    status,
    statusText,
    headers: [...response.headers],
  });
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) break;
    if (signal.aborted) return void reader?.cancel();
    send({ kind: "chunk", id, bytes: value });
  }
  send({ kind: "end", id });
}

offer(api);
