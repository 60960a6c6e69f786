import { describe, expect, it } from "vitest";
import {
  connect,
  type ClientInterceptor,
  type ClientMethod,
  type ClientOptions,
} from "../../../runtime/typescript/client/client.js";
import { rpc } from "../../../runtime/typescript/codegen/create-client.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { transfer } from "../../../runtime/typescript/codegen/create-transfers.js";
import { retry } from "../../../runtime/typescript/client/interceptors.js";
import {
  openStream,
  type StreamMethod,
} from "../../../runtime/typescript/client/stream.js";
import {
  callTransfer,
  type TransferMethod,
} from "../../../runtime/typescript/client/transfer.js";
import type { FileData } from "../../../runtime/typescript/wire/file-data.js";

const safety = "readonly";
const read: ClientMethod<{}, {}, never> = rpc("/rpc/A/Read", { safety });
const watch: StreamMethod<{}, { n: number }, never> = stream("/rpc/A/Watch", {
  safety,
});
const upload: TransferMethod<{ file: FileData }, {}, never> = transfer(
  "/rpc/A/Upload",
  { safety, files: ["file"] },
);
const download: TransferMethod<{}, { file: FileData }, never> = transfer(
  "/rpc/A/Download",
  { safety, file: "file" },
);

type Answer = (init: RequestInit) => Promise<Response>;

/** Answers when the request is aborted, and otherwise never. */
const hung: Answer = ({ signal }) =>
  new Promise((_, reject) => {
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
/** Ignores the signal, as some `fetch` functions do. */
const deaf: Answer = () => new Promise(() => {});
const headers = { "content-type": "application/x-ndjson" };
const ok =
  (text: string): Answer =>
  async () =>
    new Response(text, { headers });

/** Creates options of a client whose requests are answered in turn. */
function answering(answers: readonly Answer[], retrying = retry()) {
  const sent: RequestInit[] = [];
  const options: ClientOptions = {
    baseUrl: "http://host",
    timeoutMs: 2000,
    use: [retrying],
    fetch: (_, init) => {
      sent.push(init);
      return (answers[sent.length - 1] ?? hung)(init);
    },
  };
  return { options, sent };
}

const quick = (): ClientInterceptor =>
  retry({ attemptTimeoutMs: 20, backoffMs: 0 });

describe.each([
  ["that hangs", hung],
  ["that hangs and ignores its signal", deaf],
])("after an attempt %s, `retry` repeats", (_, first) => {
  it.each([
    ["with a limit for each attempt", quick()],
    [
      "whatever `isPassing` says",
      retry({ attemptTimeoutMs: 20, backoffMs: 0, isPassing: () => false }),
    ],
  ])("a call, %s", async (_, retrying) => {
    const { options, sent } = answering([first, ok("{}")], retrying);
    expect(await connect(options).call(read)).toEqual({});
    expect(sent).toHaveLength(2);
    expect(sent[0]?.signal?.aborted).toBe(true);
  });

  it("an upload", async () => {
    const { options, sent } = answering([first, ok("{}")], quick());
    const file = new Blob(["a"]);
    expect(await callTransfer(options, upload, { file })).toEqual({});
    expect(sent).toHaveLength(2);
  });
});

/** Returns bytes that arrive more slowly than an attempt may take. */
function slowly(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      for (const letter of text) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.enqueue(new TextEncoder().encode(letter));
      }
      controller.close();
    },
  });
}

const slow: Answer = async () => new Response(slowly('{"n":1}\n'));

it("a response that has begun and takes too long is repeated", async () => {
  const { options, sent } = answering([slow, ok('{"n":2}')], quick());
  expect(await connect(options).call(read)).toEqual({ n: 2 });
  expect(sent).toHaveLength(2);
});

it("a stream that has begun has no limit", async () => {
  const { options, sent } = answering([slow], quick());
  const items = [];
  for await (const item of openStream(options, watch)) items.push(item);
  expect(items).toEqual([{ n: 1 }]);
  expect(sent).toHaveLength(1);
});

it("a download that has begun has no limit", async () => {
  const { options, sent } = answering([slow], quick());
  const { file } = await callTransfer(options, download);
  expect(await new Response(file.stream()).text()).toBe('{"n":1}\n');
  expect(sent).toHaveLength(1);
});

it("attempts share the files of an upload", async () => {
  let reads = 0;
  const stream = (): ReadableStream<Uint8Array> => {
    reads += 1;
    return slowly("abc");
  };
  const retrying = retry({ attempts: 20, attemptTimeoutMs: 20, backoffMs: 0 });
  const { options, sent } = answering([ok("{}")], retrying);
  const file = { type: "text/plain", stream };
  expect(await callTransfer(options, upload, { file })).toEqual({});
  expect(reads).toBe(1);
  expect(sent.length).toBeGreaterThan(0);
});

it("by default, an attempt may take all the time that is left", async () => {
  const { options, sent } = answering([hung], retry({ backoffMs: 0 }));
  const call = connect({ ...options, timeoutMs: 20 }).call(read);
  await expect(call).rejects.toMatchObject({ reason: "timeout" });
  expect(sent).toHaveLength(1);
});
