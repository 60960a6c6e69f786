import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileData } from "@ridlkit/runtime/file-data";
import {
  createShopClient,
  type ShopClient,
} from "../../golden/fixtures/forms/expected/client.js";
import {
  createShopServer,
  type ShopServerOptions,
} from "../../golden/fixtures/forms/expected/server.js";
import type { AttachRequest } from "../../golden/fixtures/forms/expected/types.js";
import { codePoint } from "../../../tools/test/code-point.js";
import fc from "../../support/fast-check.js";
import { hosts, listenerHost, type Running } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { sampleOn } from "./sample-on.js";

/** What a handler received, with the contents of files. */
let seen: unknown = null;

async function textOf(file: FileData): Promise<readonly string[]> {
  const { name = "", type } = file;
  return [name, type, await new Response(file.stream()).text()];
}

function createServer(
  options: Partial<ShopServerOptions> = {},
): ReturnType<typeof createShopServer> {
  return createShopServer({
    handlers: {
      shop: {
        order: () => ({ order: 1 }),
        save: ({ profile }) => ({ profile }),
        search: () => ({ count: 0 }),
        attach: async ({ invoice, photos, ...others }) => {
          const files = await Promise.all(
            [invoice, ...(photos ?? [])].map(textOf),
          );
          seen = { ...others, files };
          return { count: files.length };
        },
        setLogo: async ({ images, ...others }) => {
          seen = { ...others, files: await Promise.all(images.map(textOf)) };
        },
      },
    },
    verifyToken: () => true,
    ...options,
  });
}

const server = createServer();

/** A part: its name and content, and the other parameters and headers. */
type Part = readonly [name: string, content: string, head?: string];

const invoice: Part = [
  "invoice",
  "pdf",
  '; filename="i.pdf"\r\nContent-Type: a/b',
];
const read = ["i.pdf", "a/b", "pdf"];

function bodyOf(parts: readonly Part[]): string {
  return [
    ...parts.map(
      ([name, content, head = ""]) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${content}\r\n`,
    ),
    "--b--\r\n",
  ].join("");
}

const formType = "multipart/form-data; boundary=b";

interface Case {
  readonly title: string;
  readonly verb?: string;
  readonly path?: string;
  readonly parts?: readonly Part[];
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly seen?: unknown;
  readonly text?: string;
}

const logo = { verb: "PUT", path: "/logo" };
const file = (name: string, content: string): Part => [
  name,
  content,
  `; filename="${content}.png"`,
];
const png = (content: string): readonly string[] => [
  `${content}.png`,
  "application/octet-stream",
  content,
];

const cases: readonly Case[] = [
  {
    title: "files without a name, and texts with one",
    parts: [
      ["title", "t", '; filename="t.txt"\r\nContent-Type: text/plain'],
      ["invoice", "x", "\r\nContent-Type: a/b"],
    ],
    seen: { id: 7, title: "t", files: [["", "a/b", "x"]] },
  },
  {
    title: "empty files, and fields without a chosen file",
    parts: [
      ["photos", "", '; filename=""\r\nContent-Type: application/octet-stream'],
      ["invoice", "", '; filename="i"'],
    ],
    seen: { id: 7, files: [["i", "application/octet-stream", ""]] },
  },
  {
    title: "names of prototypes",
    parts: [
      invoice,
      ["__proto__", "a"],
      ["__proto__[title]", "a"],
      ["constructor[prototype][title]", "a"],
      ["meta[__proto__]", "b"],
      file("toString", "c"),
    ],
    seen: {
      id: 7,
      meta: JSON.parse('{"__proto__":"b"}'),
      files: [read],
    },
  },
  {
    title: "unknown parts, and fields of the path",
    parts: [
      ["id", "8"],
      ["json", '{"title":"x"}'],
      file("other", "y"),
      invoice,
    ],
    seen: { id: 7, files: [read] },
  },
  {
    title: "indexes of files",
    ...logo,
    parts: [file("images[1]", "b"), file("images[0]", "a")],
    status: 204,
    seen: { files: [png("a"), png("b")] },
  },
  {
    title: "lists of files without brackets",
    ...logo,
    parts: [file("images", "b"), file("images", "a"), ["labels[]", "l"]],
    status: 204,
    seen: { labels: ["l"], files: [png("b"), png("a")] },
  },
  { title: "no files", ...logo, parts: [], status: 204, seen: { files: [] } },
  { title: "no body", ...logo, body: "", headers: {}, status: 204 },
  {
    title: "an empty text in place of a file",
    parts: [["invoice", ""]],
    status: 400,
    text: "invoice: expected a file, got nothing",
  },
  {
    title: "two files",
    parts: [invoice, invoice],
    status: 400,
    text: "invoice: expected one value, got 2",
  },
  {
    title: "a file with members",
    parts: [file("invoice[a]", "b")],
    status: 400,
    text: "invoice: expected a value, got names in brackets",
  },
  {
    title: "two spellings of a list",
    parts: [file("photos[]", "a"), invoice, file("photos", "b")],
    status: 400,
    text: "photos: expected items that are all written in the same way",
  },
  {
    title: "other brackets",
    parts: [invoice, ["address[street", "b"]],
    status: 400,
    text: "address: expected a name such as `a[b][c]`",
  },
  {
    title: "names that are nested too deep",
    parts: [invoice, [`address${"[a]".repeat(200)}`, "b"]],
    status: 400,
    text: "address: expected at most",
  },
  {
    title: "a name without a field",
    parts: [invoice, ["address[street]", "s"], ["address[lines][1]", "x"]],
    status: 400,
    text: "address.lines: expected items such as",
  },
  {
    title: "1,000 parts",
    parts: [invoice, ...Array.from({ length: 999 }, (): Part => ["tags", "a"])],
  },
  {
    title: "1,001 parts",
    parts: [invoice, ...Array.from({ length: 1000 }, (): Part => ["x", ""])],
    status: 400,
    text: "body: expected at most 1000 parts",
  },
  {
    title: "long texts",
    parts: [
      invoice,
      ["tags", "a".repeat(600_000)],
      ["tags", "a".repeat(600_000)],
    ],
    status: 413,
    text: "body larger than 1048576 bytes",
  },
  {
    title: "long names",
    parts: [
      invoice,
      ...Array.from({ length: 100 }, (_, index): Part => [
        `meta[${"a".repeat(15_000)}${index}]`,
        "",
      ]),
    ],
    status: 413,
    text: "body larger than 1048576 bytes",
  },
  {
    title: "a large file",
    parts: [["invoice", "a".repeat(2_000_000), '; filename="a"']],
  },
  {
    title: "a body that ends early",
    body: bodyOf([invoice]).slice(0, -8),
    status: 400,
    text: "body: expected multipart/form-data",
  },
  {
    title: "another content type",
    body: "title=a",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 415,
    text: "content-type: expected multipart/form-data",
  },
  {
    title: "a body without a content type",
    body: bodyOf([invoice]),
    headers: {},
    status: 415,
    text: "content-type: expected multipart/form-data, got nothing",
  },
  {
    title: "a page of another origin",
    parts: [invoice],
    headers: {
      "content-type": formType,
      "sec-fetch-site": "cross-site",
      origin: "https://page.example",
    },
    status: 400,
    text: "sec-fetch-site: expected same-origin, got cross-site",
  },
];

async function check(running: Running, given: Case): Promise<void> {
  const { headers = { "content-type": formType }, parts = [] } = given;
  const { body = bodyOf(parts), path = "/orders/7/papers" } = given;
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
  "forms with files on $name",
  ({ sample, start }) => {
    let running: Running;
    let client: ShopClient;
    beforeAll(async () => {
      running = await start(server);
      const { fetch } = running;
      client = createShopClient({ baseUrl: "http://localhost", fetch });
    });
    afterAll(() => running.close());

    it("answers each form", async () => {
      for (const given of sample) await check(running, given);
    });

    it("reads texts that are not UTF-8 as errors of their field", async () => {
      const [before = "", after = ""] = bodyOf([["title", "?"], invoice]).split(
        "?",
      );
      const body = Buffer.concat([
        Buffer.from(before),
        Buffer.of(0xff),
        Buffer.from(after),
      ]);
      const headers = { "content-type": formType };
      const path = "/orders/7/papers";
      const answer = await running.send({ verb: "POST", path, headers, body });
      expect(answer.text).toContain(
        "title: expected text in UTF-8, got other bytes",
      );
    });

    it("reads what the client sends", async () => {
      const photo = new File(["p"], 'a"\r\n.png', { type: "image/png" });
      const stream = (): ReadableStream<Uint8Array> => new Blob(["i"]).stream();
      const { count } = await client.attach({
        id: 7,
        title: "a\nb\r\nc & %22 ü",
        tags: ["", "a,b"],
        address: { street: "", lines: ["x"] },
        meta: { 'ü "=': "v" },
        invoice: { type: "a/b", stream },
        photos: [photo, new Blob(["q"])],
      });
      expect(count).toBe(3);
      expect(seen).toEqual({
        id: 7,
        title: "a\nb\r\nc & %22 ü",
        tags: ["", "a,b"],
        address: { street: "", lines: ["x"] },
        meta: { 'ü "=': "v" },
        files: [
          ["invoice", "a/b", "i"],
          ['a"\r\n.png', "image/png", "p"],
          ["photos", "application/octet-stream", "q"],
        ],
      });
      await client.setLogo({ labels: ["l"], images: [] });
      expect(seen).toEqual({ labels: ["l"], files: [] });
      await client.setLogo({ images: [] });
      expect(seen).toEqual({ files: [] });
    });

    it("reads `FormData`", async () => {
      const body = new FormData();
      body.append("invoice", new Blob(["x"], { type: "a/b" }), "i");
      body.append("address[street]", "s");
      body.append("tags[]", "t");
      const url = "http://localhost/orders/7/papers";
      await running.fetch(url, { method: "POST", body });
      expect(seen).toEqual({
        id: 7,
        tags: ["t"],
        address: { street: "s", lines: [] },
        files: [["i", "a/b", "x"]],
      });
    });
  },
);

it("reads the forms of curl in any order", async () => {
  const running = await listenerHost.start(server);
  const folder = await mkdtemp(join(tmpdir(), "parts-"));
  const path = join(folder, "i.txt");
  await writeFile(path, "text");
  const url = `http://localhost:${running.port}/orders/7/papers`;
  const flags = [`invoice=@${path}`, "title=a", "tags=b", `photos=@${path}`];
  for (const order of [flags, flags.toReversed()]) {
    seen = null;
    const args = ["-s", ...order.flatMap((each) => ["-F", each]), url];
    const { stdout } = await promisify(execFile)("curl", args);
    expect(stdout).toBe('{"count":2}');
    const sent = ["i.txt", "text/plain", "text"];
    expect(seen).toEqual({
      id: 7,
      title: "a",
      tags: ["b"],
      files: [sent, sent],
    });
  }
  await rm(folder, { recursive: true });
  await running.close();
});

it("limits whole forms as uploads", async () => {
  const running = await listenerHost.start(
    createServer({ maxUploadBytes: 1000 }),
  );
  const parts: Part[] = [invoice, ["other", "x".repeat(1000)]];
  const given = { title: "", parts, status: 413 };
  await check(running, { ...given, text: "body larger than 1000 bytes" });
  await running.close();
});

describe("a client of forms with files", () => {
  const sent: Request[] = [];
  const client = createShopClient({
    baseUrl: "https://shop.example",
    fetch: (url, init) => {
      sent.push(new Request(url, init));
      return Promise.resolve(new Response('{"count":1}'));
    },
  });

  it("writes texts before files, and brackets as other forms", async () => {
    await client.setLogo({ labels: ["a"], images: [new Blob(["x"])] });
    const [request] = sent.splice(0);
    const type = request?.headers.get("content-type") ?? "";
    const [, boundary = ""] =
      /^multipart\/form-data; boundary=([\d-]+)$/u.exec(type) ?? [];
    expect(await request?.text()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="labels[]"',
        "",
        "a",
        `--${boundary}`,
        'Content-Disposition: form-data; name="images[]"; filename="images"',
        "Content-Type: application/octet-stream",
        "",
        "x",
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    );
  });

  it("sends no body without parts", async () => {
    await client.setLogo({ images: [] });
    const [request] = sent.splice(0);
    expect(request?.headers.get("content-type")).toBeNull();
    expect(await request?.text()).toBe("");
  });

  it("rejects names that receivers read in different ways", async () => {
    for (const name of ["a\\b", "%22", "%0A"]) {
      const meta = { [name]: "" };
      const call = client.attach({ id: 1, invoice: new Blob(), meta });
      await expect(call).rejects.toThrow(
        `a form with files cannot express the name meta[${name}]`,
      );
    }
    expect(sent).toEqual([]);
  });

  it("fails if a file cannot be read, and if the call is aborted", async () => {
    const stream = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull: (control) => control.error(new Error("lost")),
      });
    const request: AttachRequest = { id: 1, invoice: { type: "", stream } };
    await expect(client.attach(request)).rejects.toThrow("lost");
    const endless = {
      type: "",
      stream: () => new ReadableStream<Uint8Array>(),
    };
    const signal = AbortSignal.timeout(5);
    await expect(
      client.attach({ id: 1, invoice: endless }, { signal }),
    ).rejects.toThrow();
    expect(sent).toEqual([]);
  });
});

it("reads back every form with files that a client can send", async () => {
  const client = createShopClient({
    baseUrl: "http://localhost",
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  const text = fc.string({ unit: "grapheme", maxLength: 8 });
  const key = text.filter((each) => !/[[\]\\]|%(?:22|0[AD])/u.test(each));
  const content = fc.string({ unit: codePoint, maxLength: 20 });
  const fields = fc.record(
    {
      title: text,
      tags: fc.array(text, { minLength: 1, maxLength: 3 }),
      meta: fc.dictionary(key, text, { minKeys: 1, maxKeys: 3 }),
    },
    { requiredKeys: [] },
  );
  const all = fc.tuple(fields, content, fc.array(content, { maxLength: 3 }));
  await fc.assert(
    fc.asyncProperty(all, async ([given, content, photos]) => {
      await client.attach({
        ...given,
        id: 1,
        invoice: new File([content], "i"),
        photos: photos.map((each) => new File([each], "p")),
      });
      const type = "application/octet-stream";
      expect(seen).toEqual({
        ...given,
        id: 1,
        files: [
          ["i", type, content],
          ...photos.map((each) => ["p", type, each]),
        ],
      });
    }),
    { numRuns: 500 },
  );
});
