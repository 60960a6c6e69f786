import { createServer as createHttpServer } from "node:http";
import express, { type RequestHandler } from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileData } from "@ridlkit/runtime/file-data";
import { RpcError } from "@ridlkit/runtime/errors";
import { retry } from "@ridlkit/runtime/interceptors";
import {
  createPicturesClient,
  type PicturesClient,
} from "../../golden/fixtures/file-bodies/expected/client.js";
import {
  createPicturesServer,
  type PicturesServerOptions,
} from "../../golden/fixtures/file-bodies/expected/server.js";
import fc from "../../support/fast-check.js";
import { toExpressHandler } from "../../../runtime/typescript/hosts/express.js";
import {
  hosts,
  listenerHost,
  type Received,
  run,
  type Running,
} from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { sampleOn } from "./sample-on.js";

/** What a handler received, with the contents of files. */
let seen: unknown = null;

const contentOf = (file: FileData): Promise<string> =>
  new Response(file.stream()).text();

async function see(request: object, file: FileData): Promise<void> {
  const { name, size, type } = file;
  seen = { ...request, file: [name, size, type, await contentOf(file)] };
}

function createServer(
  options: Partial<PicturesServerOptions> = {},
): ReturnType<typeof createPicturesServer> {
  return createPicturesServer({
    handlers: {
      pictures: {
        add: async ({ content, ...others }) => {
          await see(others, content);
          return { picture: { id: "1", bytes: 1 } };
        },
        put: ({ content, ...others }) => see(others, content),
        scan: async ({ scan }) => {
          if (scan === undefined) seen = {};
          else await see({}, scan);
          return { text: "" };
        },
        get: ({ id }) => ({
          file: new File([`content of ${id}`], `${id}.txt`, {
            type: "text/plain",
          }),
        }),
        render: ({ id, width = 0 }) => ({
          image: new Blob([`${id} ${width}`], { type: "image/x" }),
        }),
        // The response begins before the request has ended.
        convert: ({ source }) => ({ result: source }),
        merge: async ({ parts, title }) => ({
          file: new File(
            await Promise.all(parts.map(contentOf)),
            `${title}.txt`,
          ),
        }),
      },
    },
    ...options,
  });
}

const server = createServer();

interface Case {
  readonly title: string;
  readonly verb?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status?: number;
  readonly seen?: unknown;
  readonly text?: string;
}

const csv = { "content-type": "Text/CSV; charset=utf-8" };
const scan = { path: "/scans" };
const put = { verb: "PUT", path: "/pictures/a%2Fb", status: 200 };
const file = (type: string, content: string): readonly unknown[] => [
  undefined,
  undefined,
  type,
  content,
];
const anything = "application/octet-stream";
const page = { "sec-fetch-site": "cross-site" };

const cases: readonly Case[] = [
  {
    title: "a file with its type",
    headers: csv,
    body: "a,b",
    seen: { name: "n", file: file("Text/CSV; charset=utf-8", "a,b") },
  },
  {
    title: "JSON as a file",
    headers: { "content-type": "application/json" },
    body: '{"name":"x","content":1',
    seen: {
      name: "n",
      file: file("application/json", '{"name":"x","content":1'),
    },
  },
  {
    title: "a form as a file",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: "--b--",
    seen: {
      name: "n",
      file: file("multipart/form-data; boundary=b", "--b--"),
    },
  },
  {
    title: "an empty file",
    headers: csv,
    seen: { name: "n", file: file("Text/CSV; charset=utf-8", "") },
  },
  {
    title: "an invalid field next to a file",
    path: "/pictures",
    headers: csv,
    body: "x",
    status: 400,
    text: "name: expected a string, got nothing",
  },
  { ...scan, title: "an absent optional file", status: 200, seen: {} },
  {
    ...scan,
    title: "an empty optional file",
    headers: csv,
    status: 200,
    seen: { file: file("Text/CSV; charset=utf-8", "") },
  },
  {
    ...put,
    title: "fields in the path and in a header",
    headers: { ...csv, "if-match": "r" },
    body: "x",
    text: "{}",
    seen: {
      id: "a/b",
      ifMatch: "r",
      file: file("Text/CSV; charset=utf-8", "x"),
    },
  },
  {
    title: "a compressed body",
    headers: { ...csv, "content-encoding": "gzip" },
    body: "x",
    status: 415,
    text: 'content-encoding: expected identity, got \\"gzip\\"',
  },
  {
    title: "a body that says it is not compressed",
    headers: { ...csv, "content-encoding": "identity" },
    body: "x",
  },
  {
    title: "a file of a page of another origin",
    headers: { "content-type": "text/plain", ...page },
    body: "x",
    status: 400,
    text: "sec-fetch-site: expected same-origin, got cross-site",
  },
  {
    ...scan,
    title: "no file of a page of another origin",
    headers: page,
    status: 400,
    text: "sec-fetch-site",
  },
  {
    ...put,
    title: "a PUT of a page, for which browsers ask",
    headers: { ...csv, ...page, "if-match": "r" },
    body: "x",
  },
];

async function check(running: Running, given: Case): Promise<void> {
  const { body = "", headers = {}, path = "/pictures?name=n" } = given;
  const { verb = "POST", status = 201 } = given;
  seen = null;
  const bytes = body === "" ? null : new TextEncoder().encode(body);
  const answer = await running.send({ verb, path, headers, body: bytes });
  expect([given.title, answer.status, answer.text]).toEqual([
    given.title,
    status,
    expect.stringContaining(given.text ?? ""),
  ]);
  if (given.seen !== undefined) expect(seen).toEqual(given.seen);
}

describe.each(sampleOn([...hosts, listenerHost, ...lambdaHosts], cases))(
  "files as bodies on $name",
  ({ sample, start }) => {
    let running: Running;
    let client: PicturesClient;
    beforeAll(async () => {
      running = await start(server);
      const { fetch } = running;
      client = createPicturesClient({ baseUrl: "http://localhost", fetch });
    });
    afterAll(() => running.close());

    it("answers each body", async () => {
      for (const given of sample) await check(running, given);
    });

    it("receives the files of a client", async () => {
      const content = new File(["\xff\r\n"], "ignored", { type: "a/b" });
      await client.add({ name: "n", content });
      expect(seen).toEqual({ name: "n", file: file("a/b", "\xff\r\n") });
      await client.scan({});
      expect(seen).toEqual({});
      await client.scan({ scan: new Blob() });
      expect(seen).toEqual({ file: file(anything, "") });
    });

    it("sends files with their status", async () => {
      const { file: found } = await client.get({ id: "7" });
      expect([found.name, found.type, await contentOf(found)]).toEqual([
        "7.txt",
        "text/plain",
        "content of 7",
      ]);
      const { image } = await client.render({ id: "7", width: 2 });
      expect([image.name, image.type, await contentOf(image)]).toEqual([
        "",
        "image/x",
        "7 2",
      ]);
      const path = "/pictures/7/render";
      const headers = {};
      const raw = { verb: "POST", path, headers, body: null };
      expect((await running.send(raw)).status).toBe(201);
    });

    it("sends the file of a form", async () => {
      const parts = [new Blob(["a"]), new Blob(["b"])];
      const { file: merged } = await client.merge({ title: "t", parts });
      expect([merged.name, await contentOf(merged)]).toEqual(["t.txt", "ab"]);
    });

    it("returns large files that it receives", async () => {
      const source = new Blob(["ab".repeat(500_000)], { type: "x/y" });
      const { result } = await client.convert({ source });
      expect(result.type).toBe("x/y");
      expect(await contentOf(result)).toBe(await source.text());
    });

    it("answers HEAD without the content", async () => {
      const path = "/pictures/7/content";
      const head = { verb: "HEAD", path, headers: {}, body: null };
      const answer = await running.send(head);
      expect([answer.status, answer.text]).toEqual([200, ""]);
      expect(answer.header("content-type")).toBe("text/plain");
      expect(answer.header("content-length")).toBe("12");
    });

    it("reports the errors of downloads", async () => {
      const path = "/pictures/7/render";
      const body = new TextEncoder().encode('{"width":-1}');
      const headers = { "content-type": "application/json" };
      const answer = await running.send({ verb: "POST", path, headers, body });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("width: expected");
      await expect(client.get({ id: "." })).rejects.toThrow(TypeError);
    });
  },
);

it("limits files as uploads, while they are read", async () => {
  const limited = createServer({ maxUploadBytes: 1000 });
  const running = await listenerHost.start(limited);
  const most = "x".repeat(1000);
  const upload = { title: "", headers: csv };
  await check(running, { ...upload, body: most });
  const text = "body larger than 1000 bytes";
  await check(running, { ...upload, body: `${most}x`, status: 413, text });
  await running.close();
});

it("does not limit files as other bodies", async () => {
  const limited = createServer({ maxBodyBytes: 100 });
  const running = await listenerHost.start(limited);
  await check(running, { title: "", headers: csv, body: "x".repeat(1000) });
  await running.close();
});

it("passes a file on before it has arrived", async () => {
  let send: (text: string | null) => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(control) {
      send = (text) => {
        if (text === null) control.close();
        else control.enqueue(new TextEncoder().encode(text));
      };
    },
  });
  const request = new Request("http://localhost/convert", {
    method: "POST",
    headers: csv,
    body,
    duplex: "half",
  } as RequestInit);
  const response = await server.fetch(request);
  const reader = response.body
    ?.pipeThrough(new TextDecoderStream())
    .getReader();
  for (const text of ["a", "b"]) {
    send(text);
    expect((await reader?.read())?.value).toBe(text);
  }
  send(null);
  expect((await reader?.read())?.done).toBe(true);
});

it("cancels a file that a handler does not want", async () => {
  let isCanceled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (control) => control.enqueue(new Uint8Array(1024)),
    cancel: () => void (isCanceled = true),
  });
  const picky = createServer({
    interceptors: [
      () => () => {
        throw new RpcError({ name: "No", code: 1, status: 403, message: "" });
      },
    ],
  });
  const request = new Request("http://localhost/scans", {
    method: "POST",
    headers: csv,
    body,
    duplex: "half",
  } as RequestInit);
  expect((await picky.fetch(request)).status).toBe(403);
  await expect.poll(() => isCanceled).toBe(true);
});

it("reads a file only once", async () => {
  const failing = createServer({
    interceptors: [
      (next) => (call) => {
        const { scan: given } = call.request as { scan: FileData };
        given.stream();
        expect(() => given.stream()).toThrow("the file was already read");
        return next(call);
      },
    ],
  });
  const given = { method: "POST", headers: csv, body: "x" };
  const answer = await failing.fetch(
    new Request("http://localhost/scans", given),
  );
  expect(answer.status).toBe(500);
});

it("does not tag downloads, and keeps caches from sharing them", async () => {
  const cached = createServer({ cacheControl: "max-age=60" });
  const answer = await cached.fetch(
    new Request("http://localhost/pictures/7/content", {
      headers: { "if-none-match": "*" },
    }),
  );
  expect(answer.status).toBe(200);
  expect(answer.headers.get("etag")).toBeNull();
  expect(answer.headers.get("cache-control")).toBe("max-age=60");
  const post = new Request("http://localhost/pictures/7/render", {
    method: "POST",
  });
  const made = await cached.fetch(post);
  expect(made.headers.get("cache-control")).toBeNull();
});

describe("a client of files as bodies", () => {
  it("sends the same file with each attempt", async () => {
    const bodies: string[] = [];

    const client = createPicturesClient({
      baseUrl: "https://pictures.example",
      use: [retry({ attempts: 3, backoffMs: 1 })],
      fetch: async (url, init) => {
        const request = new Request(url, init);
        bodies.push(await request.text());
        expect(request.headers.get("content-type")).toBe("a/b");
        return new Response("{}", { status: bodies.length < 3 ? 503 : 200 });
      },
    });
    const stream = (): ReadableStream<Uint8Array> => new Blob(["x"]).stream();
    const content = { type: "a/b", stream };
    await client.put({ id: "1", ifMatch: "r", content });
    expect(bodies).toEqual(["x", "x", "x"]);
  });

  it("fails if a file cannot be read", async () => {
    const client = createPicturesClient({
      baseUrl: "https://pictures.example",
      fetch: () => Promise.reject(new Error("not called")),
    });
    const stream = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull: (control) => control.error(new Error("lost")),
      });
    const given = client.scan({ scan: { type: "", stream } });
    await expect(given).rejects.toThrow("lost");
  });
});

it("returns every file and type that a client can send", async () => {
  const client = createPicturesClient({
    baseUrl: "http://localhost",
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  const content = fc.uint8Array({ maxLength: 50 });
  const type = fc.stringMatching(/^[a-z]{1,5}\/[a-z.+-]{1,5}$/u);
  await fc.assert(
    fc.asyncProperty(content, type, async (bytes, given) => {
      const source = new Blob([bytes], { type: given });
      const { result } = await client.convert({ source });
      const received = await new Response(result.stream()).arrayBuffer();
      expect(result.type).toBe(given);
      expect(new Uint8Array(received)).toEqual(bytes);
    }),
    { numRuns: 300 },
  );
});

describe("a file as a body behind a parser of Express", () => {
  const json = { "content-type": "application/json" };
  const content = new TextEncoder().encode('{ "a": 1.0 }');
  const sendBehind = async (
    parser: RequestHandler,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array | null,
  ): Promise<Received> => {
    const app = express();
    const behind = createServer({ onError: () => {} });
    app.use(parser, toExpressHandler(behind));
    const running = await run(createHttpServer(app));
    seen = null;
    const sent = { verb: "POST", path: "/scans", headers, body };
    const answer = await running.send(sent);
    await running.close();
    return answer;
  };

  it("is the same file if the parser keeps the bytes", async () => {
    const raw = express.raw({ type: "*/*" });
    await sendBehind(raw, json, content);
    expect(seen).toEqual({ file: file("application/json", '{ "a": 1.0 }') });
  });

  it("is an error if the parser converts the bytes", async () => {
    const text = express.text({ type: "*/*" });
    for (const parser of [express.json(), text]) {
      const answer = await sendBehind(parser, json, content);
      expect(answer.status).toBe(500);
      expect(answer.text).toContain("in front of body parsers");
    }
  });

  it("is empty if it is", async () => {
    const empty = { ...json, "content-length": "0" };
    await sendBehind(express.json(), empty, null);
    expect(seen).toEqual({ file: file("application/json", "") });
  });
});
