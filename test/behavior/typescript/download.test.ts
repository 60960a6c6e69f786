import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import {
  TransportError,
  type CallOptions,
  type ClientInterceptor,
  type ClientOptions,
} from "../../../runtime/typescript/client/client.js";
import {
  toFile,
  type FileData,
} from "../../../runtime/typescript/wire/file-data.js";
import {
  observe,
  retry,
} from "../../../runtime/typescript/client/interceptors.js";
import {
  callTransfer,
  type TransferMethod,
} from "../../../runtime/typescript/client/transfer.js";
import { transfer } from "../../../runtime/typescript/codegen/create-transfers.js";
import { listenForTest } from "../../support/listen-for-test.js";

const download: TransferMethod<{}, { file: FileData }, never> = transfer(
  "/rpc/Reports/Download",
  { file: "file", safety: "readonly" },
);

/** A download that is endless or breaks, and a record of how it was read. */
class Source {
  asked = 0;
  pulled = 0;
  cancelledBy: unknown = null;
  readonly #chunks: number;

  constructor(chunks = Infinity) {
    this.#chunks = chunks;
  }

  readonly fetch = async (): Promise<Response> => {
    this.asked += 1;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        this.pulled += 1;
        if (this.pulled > this.#chunks) controller.error(new Error("disk"));
        else controller.enqueue(new Uint8Array(1000).fill(this.pulled));
      },
      cancel: (reason) => void (this.cancelledBy = reason ?? "no reason"),
    });
    return new Response(body);
  };
}

async function open(
  source: Source,
  options: Partial<ClientOptions> = {},
  own: CallOptions = {},
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const all = { baseUrl: "", fetch: source.fetch, ...options };
  const { file } = await callTransfer(all, download, {}, own);
  return file.stream().getReader();
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<void> {
  while (!(await reader.read()).done);
}

describe("a download", () => {
  it("arrives as it is read", async () => {
    const source = new Source();
    const reader = await open(source);
    expect((await reader.read()).value?.[0]).toBe(1);
    expect((await reader.read()).value?.[0]).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(source.pulled).toBeLessThan(10);
    await reader.cancel("enough");
    await expect.poll(() => source.cancelledBy).toBe("enough");
  });

  it("can be aborted by a signal while it is read", async () => {
    const source = new Source();
    const controller = new AbortController();
    const reader = await open(source, {}, { signal: controller.signal });
    await reader.read();
    controller.abort("the user has left");
    const error = await failureOf(readAll(reader));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({
      reason: "aborted",
      cause: "the user has left",
    });
    expect(source.cancelledBy).toBe(error);
  });

  it("has the time limit of its call", async () => {
    const source = new Source();
    const reader = await open(source, { timeoutMs: 30 });
    const slowly = async (): Promise<void> => {
      for (;;) {
        await reader.read();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    expect(await failureOf(slowly())).toMatchObject({ reason: "timeout" });
  });

  it("is not restarted if it breaks", async () => {
    const source = new Source(3);
    const reader = await open(source, { use: [retry({ backoffMs: 1 })] });
    const error = await failureOf(readAll(reader));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({
      reason: "stream-lost",
      cause: { message: "disk" },
    });
    expect(source.asked).toBe(1);
  });

  it("reports its real outcome to interceptors", async () => {
    const seen: unknown[] = [];
    const note = observe({
      onEnd: (_, { error, status }) => seen.push([error, status]),
    });
    const use = [retry({ backoffMs: 1 }), note];
    const broken = await open(new Source(3), { use });
    const error = await failureOf(readAll(broken));
    const canceled = await open(new Source(), { use });
    await canceled.read();
    await canceled.cancel();
    const whole = async () => new Response("abc", { status: 203 });
    await readAll(await open(new Source(), { use, fetch: whole }));
    await expect.poll(() => seen).toHaveLength(3);
    expect(seen).toEqual([
      [error, 200],
      [null, 200],
      [null, 203],
    ]);
  });

  it("fails at its end if an interceptor rejects it", async () => {
    const refused = new Error("refused");
    const refusing: ClientInterceptor = (next) => async (call) => {
      await next(call);
      throw refused;
    };
    const fetch = async () => new Response("abc");
    const reader = await open(new Source(), { fetch, use: [refusing] });
    expect(await failureOf(readAll(reader))).toBe(refused);
  });

  it("is not requested again by an interceptor once it has begun", async () => {
    const twice: ClientInterceptor = (next) => async (call) => {
      await next(call).catch(() => {});
      return next(call);
    };
    const source = new Source(3);
    const reader = await open(source, { use: [twice] });
    const error = await failureOf(readAll(reader));
    expect(error).toMatchObject({ reason: "stream-lost" });
    expect(source.asked).toBe(1);
  });

  it("keeps interceptors running until its content has been read or canceled", async () => {
    const seen: string[] = [];
    const note: ClientInterceptor = (next) => async (call) => {
      seen.push(call.method.path);
      const answer = await next(call);
      seen.push("over");
      return answer;
    };
    const reader = await open(new Source(), { use: [note] });
    await reader.read();
    expect(seen).toEqual(["/rpc/Reports/Download"]);
    await reader.cancel();
    await new Promise((resolve) => setTimeout(resolve));
    expect(seen).toEqual(["/rpc/Reports/Download", "over"]);
  });

  it("may come from an interceptor", async () => {
    const file = new File(["kept"], "kept.txt");
    const options = { baseUrl: "", use: [() => async () => ({ file })] };
    expect(await callTransfer(options, download)).toEqual({ file });
  });

  it.each([
    [{ "content-length": "3" }, 3],
    [{ "content-length": "3", "content-encoding": "gzip" }, undefined],
    [{}, undefined],
  ])("given the header %j, reports the size %s", async (headers, size) => {
    const fetch = async () =>
      new Response("abc", { headers: new Headers(Object.entries(headers)) });
    const options = { baseUrl: "", fetch };
    const { file } = await callTransfer(options, download);
    expect(file.size).toBe(size);
  });

  it("is empty if it has no body", async () => {
    const fetch = async () => new Response(null, { status: 204 });
    const { file } = await callTransfer({ baseUrl: "", fetch }, download);
    expect((await toFile(file)).size).toBe(0);
  });

  it("can be read into a file in memory", async () => {
    const headers = {
      "content-type": "text/csv",
      "content-disposition": 'attachment; filename="a.csv"',
    };
    const fetch = async () => new Response("a,b", { headers });
    const { file } = await callTransfer({ baseUrl: "", fetch }, download);
    const whole = await toFile(file);
    expect(whole).toMatchObject({ name: "a.csv", type: "text/csv", size: 3 });
    expect(await whole.text()).toBe("a,b");
    expect(await toFile(whole)).toBe(whole);
  });
});

describe("a download over a connection", () => {
  it("starts before the server has the whole file, and can be canceled", async () => {
    const http = createServer((_, response) => {
      response.write("first");
      response.once("close", () => http.emit("left"));
    });
    const options = { baseUrl: (await listenForTest(http)).url };
    const left = once(http, "left");
    const { file } = await callTransfer(options, download);
    const reader = file.stream().getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe("first");
    await reader.cancel();
    await left;
  });
});
