import { createServer, type OutgoingHttpHeaders } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../../runtime/typescript/client/client.js";
import { get, rpc } from "../../../runtime/typescript/client/client-method.js";
import { limitResponses } from "../../../runtime/typescript/client/limit-responses.js";
import { connectStream } from "../../../runtime/typescript/client/stream-connection.js";
import { callTransfer } from "../../../runtime/typescript/client/transfer.js";
import { eventStream } from "../../../runtime/typescript/codegen/event-stream.js";
import { listen } from "../../support/listen.js";
import {
  cpuOf,
  encode,
  expectAtMost,
  fill,
  mebibyte,
  order,
  streamOf,
} from "./cpu-of.js";

const baseUrl = "http://host";

/** Options of a client whose responses arrive in chunks. */
function clientOf(text: string, type: string, chunkBytes?: number) {
  const headers = { "content-type": type };
  const fetch = async () =>
    new Response(streamOf(encode(text), chunkBytes), { headers });
  return { baseUrl, fetch };
}

/** Reads the items of a stream until it ends or fails. */
async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of items);
  } catch {
    // Most streams here are invalid.
  }
}

/** Readers of responses. Each returns when the whole response was read. */
const readers = {
  "a response": (text: string, chunkBytes?: number) =>
    call(clientOf(text, "application/json", chunkBytes), rpc("/a"), {}),
  "a limited response": (text: string, chunkBytes?: number) =>
    call(
      {
        ...clientOf(text, "application/json", chunkBytes),
        use: [limitResponses()],
      },
      rpc("/a"),
      {},
    ),
  "a file": async (text: string, chunkBytes?: number) => {
    const client = clientOf(text, "a/b", chunkBytes);
    const method = { message: get("/a"), files: [], file: "file" };
    const response = await callTransfer(client, method, {});
    await new Response(Object(response).file.stream()).arrayBuffer();
  },
  lines: (text: string, chunkBytes?: number) => {
    const client = clientOf(text, "application/x-ndjson", chunkBytes);
    return readAll(connectStream(client, rpc("/a"), {}, {}, []));
  },
  events: (text: string, chunkBytes?: number) => {
    const client = clientOf(text, "text/event-stream", chunkBytes);
    return readAll(
      connectStream(client, eventStream(get("/a")).item, {}, {}, []),
    );
  },
};

/** Orders as JSON or as a stream: a piece, its start, and its end. */
const orders = {
  json: [`${order},`, '{"a":[', `${order}]}`],
  lines: [`${order}\n`],
  events: [`data:${order}\n\n`],
} as const;

/**
 * Returns the CPU time for orders, in the form that each reader of streams expects.
 * A file is compared with a response unless it arrives in single bytes.
 */
function cpuOfOrders(
  name: Name,
  length = mebibyte,
  chunkBytes?: number,
): Promise<number> {
  const isStream = name === "lines" || name === "events";
  const [piece, start, end] = orders[isStream ? name : "json"];
  const text = fill(piece, start, end, length);
  const isWhole = name === "a file" && chunkBytes === undefined;
  const read = readers[isWhole ? "a response" : name];
  return cpuOf(text.length, () => read(text, chunkBytes));
}

const pieces: Readonly<Record<string, string>> = {
  "line feeds": "\n",
  "carriage returns": "\r",
  "line breaks": "\r\n",
  "line breaks in turn": "\n\r",
  spaces: " ",
  "blank lines": " \n",
  "lines of one letter": "x\n",
  letters: "x",
  "wide spaces": "\u3000",
  brackets: "[",
  "colons in lines": ":\n",
  colons: ":",
  "returns after letters": "a\r",
  "empty data": "data\n",
  "empty events": "data\n\n",
  "lines of data": "data:\n",
  "names of events": "event:error\n\n",
  statuses: "status:4\r",
  fields: "data:x:",
};

type Name = keyof typeof readers;
const names = Object.keys(readers) as Name[];

describe.each(names)("reading %s", (name) => {
  const read = readers[name];
  let atOnce = 0;
  let inBytes = 0;
  beforeAll(async () => {
    atOnce = await cpuOfOrders(name);
    inBytes = await cpuOfOrders(name, 20_000, 1);
  });

  it.each(Object.entries(pieces))(
    "takes at most three times as long as orders for %s",
    async (_, piece) => {
      const text = fill(piece);
      const run = () => Promise.resolve(read(text)).catch(() => {});
      const own = () => cpuOf(encode(text).length, run);
      await expectAtMost(3, own, () => cpuOfOrders(name), atOnce);
    },
  );

  it.each(["\n", "x", "data:x\n"])(
    "takes at most three times as long as orders in single bytes for %j",
    async (piece) => {
      const text = fill(piece, "", "", 20_000);
      const run = () => Promise.resolve(read(text, 1)).catch(() => {});
      const own = () => cpuOf(text.length, run);
      const other = () => cpuOfOrders(name, 20_000, 1);
      await expectAtMost(3, own, other, inBytes);
    },
  );
});

it.each([
  ["lines", "{}\n"],
  ["events", "data:{}\n\n"],
] as const)(
  "takes at most four times as long as the engine for small items of %s",
  async (name, piece) => {
    const text = fill(piece);
    async function* items() {
      for (const line of text.split("\n")) {
        if (line !== "") yield JSON.parse(line.replace("data:", ""));
      }
    }
    const engine = await cpuOf(text.length, () => readAll(items()));
    const own = await cpuOf(text.length, () => readers[name](text));
    expect(own).toBeLessThan(4 * engine);
  },
);

const codings = {
  br: brotliCompressSync,
  deflate: deflateSync,
  gzip: gzipSync,
};

/** Returns the CPU time of a client and of `fetch` alone for a compressed body. */
async function cpuOfBody(
  content: Uint8Array,
  headers: OutgoingHttpHeaders,
): Promise<{ readonly own: number; readonly engine: number }> {
  const server = await listen(
    createServer((_, response) => {
      response.writeHead(200, headers).end(content);
    }),
  );
  const client = { baseUrl: server.url, use: [limitResponses()] };
  const engine = await cpuOf(mebibyte, async () => {
    const response = await fetch(server.url);
    return response.text();
  });
  const own = await cpuOf(mebibyte, () =>
    call(client, rpc("/a"), {}).catch(() => {}),
  );
  await server.close();
  return { own, engine };
}

it.each(Object.entries(codings))(
  "inflating %s takes at most three times as long as in the engine",
  async (coding, compress) => {
    const headers = { "content-encoding": coding };
    for (const piece of ["\n", "x", " ", "[", `${order}\n`]) {
      const content = compress(fill(piece));
      const { engine, own } = await cpuOfBody(content, headers);
      expect(own, piece).toBeLessThan(3 * engine);
    }
  },
);
