import { afterEach, describe, expect, it } from "vitest";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { readUpload } from "../../../runtime/typescript/codegen/read-requests.js";
import { hosts, listenerHost, type Running } from "./hosts.js";
import { sampleOptions, plainRow } from "./sample-server.js";

const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

const limits = { bodyTimeoutMs: 40, minBodyRate: 100 };

/** Creates a server with a JSON method, a form method, and limits for both. */
function createReader(options: object = {}) {
  const base = { ...plainRow, service: "API", checkResponse: null } as const;
  const handlers = {
    api: {
      read: () => undefined,
      readFile: async ({ file }: { readonly file: Blob }) => {
        for await (const chunk of file.stream()) void chunk;
      },
    },
  };
  const all = { ...sampleOptions, ...limits, ...options, handlers };
  return createServer(all, [
    {
      ...base,
      name: "Read",
      handler: ["api", "read"],
      route: { kind: "rpc", path: "/rpc/API/Read" },
    },
    {
      ...base,
      name: "ReadFile",
      handler: ["api", "readFile"],
      route: { kind: "rpc", path: "/rpc/API/ReadFile", read: readUpload },
      upload: { files: ["file"] },
    },
  ]);
}

/**
 * Creates a body that sends these pieces, one every `everyMs` milliseconds, and
 * then either ends or hangs.
 */
function bodyOf(
  pieces: readonly string[],
  everyMs: number,
  isEnding: boolean,
): ReadableStream<Uint8Array> {
  const rest = pieces.map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = rest.shift();
        if (piece !== undefined) {
          if (rest.length < pieces.length - 1) await sleep(everyMs);
          return controller.enqueue(piece);
        }
        if (isEnding) return controller.close();
        await new Promise(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const json = { "content-type": "application/json" };
const form = { "content-type": "multipart/form-data; boundary=b" };

const formHead = [
  "--b",
  'Content-Disposition: form-data; name="json"',
  "",
  "{}",
  "--b",
  'Content-Disposition: form-data; name="file"; filename="f"',
  "",
  "beginning",
].join("\r\n");

describe.each([...hosts, listenerHost])("slow bodies on $name", ({ start }) => {
  const post = async (
    method: string,
    headers: Readonly<Record<string, string>>,
    body: ReadableStream<Uint8Array>,
    options: object = {},
  ): Promise<{ readonly status: number; readonly cause: unknown }> => {
    const host = await start(createReader(options));
    running.push(host);
    const init = { method: "POST", headers, body, duplex: "half" } as const;
    const answer = await host.fetch(`http://host/rpc/API/${method}`, init);
    const { cause = null } = (await answer.json()) as { cause?: unknown };
    return { status: answer.status, cause };
  };
  const refused = { status: 408, cause: "the body arrived too slowly" };

  it("rejects a body that stops arriving", async () => {
    expect(await post("Read", json, bodyOf(["{"], 0, false))).toEqual(refused);
  });

  it("rejects a form that stops arriving", async () => {
    const body = bodyOf(["--b"], 0, false);
    expect(await post("ReadFile", form, body)).toEqual(refused);
  });

  it("rejects a file that stops arriving while its handler reads it", async () => {
    const body = bodyOf([formHead], 0, false);
    const options = { bodyTimeoutMs: 400, minBodyRate: 1e6 };
    expect(await post("ReadFile", form, body, options)).toEqual(refused);
  });

  it("accepts a body that takes longer but arrives fast enough", async () => {
    const pieces = ['{"a":"', ..."xxxxxxxxxx", '"}'].map((piece) =>
      piece.padEnd(200, piece.length === 1 ? "x" : " "),
    );
    const body = bodyOf(pieces, 15, true);
    const answer = await post("Read", json, body, { minBodyRate: 1 });
    expect(answer).toEqual({ status: 200, cause: null });
  });
});

describe("an unread form in a web request", () => {
  const post = async (
    server: ReturnType<typeof createReader>,
    text: string,
  ): Promise<{
    readonly status: number;
    readonly isCancelled: () => boolean;
  }> => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) =>
          controller.enqueue(new TextEncoder().encode(text)),
        cancel: () => void (isCancelled = true),
      },
      { highWaterMark: 0 },
    );
    const init = {
      method: "POST",
      headers: form,
      body,
      duplex: "half",
    } as const;
    const url = "http://host/rpc/API/ReadFile";
    const { status } = await server.fetch(new Request(url, init));
    return { status, isCancelled: () => isCancelled };
  };

  it("is canceled if its request is rejected", async () => {
    const text = "--b\r\nno head\r\n\r\n";
    const { isCancelled, status } = await post(createReader(), text);
    expect(status).toBe(400);
    await expect.poll(isCancelled).toBe(true);
  });
});

describe("a web request that declares the length of its body", () => {
  const post = async (body: ReadableStream<Uint8Array>, options: object) => {
    const headers = { ...json, "content-length": "3" };
    const init = { method: "POST", headers, body, duplex: "half" } as const;
    const url = "http://host/rpc/API/Read";
    const { fetch } = createReader(options);
    const answer = await fetch(new Request(url, init));
    return [answer.status, ((await answer.json()) as { cause: string }).cause];
  };

  it("is rejected if the body stops arriving", async () => {
    const answer = await post(bodyOf(["{"], 0, false), {});
    expect(answer).toEqual([408, "the body arrived too slowly"]);
  });

  it("is rejected if the body is longer than declared and allowed", async () => {
    const answer = await post(bodyOf(["{", "}", " ", " "], 0, true), {
      maxBodyBytes: 3,
      bodyTimeoutMs: 60_000,
    });
    expect(answer).toEqual([413, "body larger than 3 bytes"]);
  });
});
