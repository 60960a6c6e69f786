import { expect, it, vi } from "vitest";
import {
  isFileData,
  toFile,
} from "../../../runtime/typescript/wire/file-data.js";
import { createUploads } from "./upload-server.js";

/** Replaces every file in a message with its name and content. */
async function readFiles(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(readFiles));
  if (!isFileData(value)) return value;
  return `${value.name}: ${await (await toFile(value)).text()}`;
}

it.each([
  [{ files: ["a", "b"] }, { a: "1: one", b: "2: two" }],
  [{ fileLists: ["a", "b"] }, { a: ["1: one", "3: three"], b: ["2: two"] }],
  [
    { files: ["b"], fileLists: ["a"] },
    { a: ["1: one", "3: three"], b: "2: two" },
  ],
])("reads a form into a message with %o", async (fields, files) => {
  const messages: unknown[] = [];
  const server = createUploads(
    async (request) => {
      const entries = Object.entries(Object(request)).map(
        async ([name, value]) => [name, await readFiles(value)] as const,
      );
      messages.push(Object.fromEntries(await Promise.all(entries)));
      return {};
    },
    {},
    fields,
  );
  const form = new FormData();
  form.append("json", JSON.stringify({ title: "fits", a: "no file" }));
  form.append("a", new File(["one"], "1"));
  form.append("b", new File(["two"], "2"));
  if ("fileLists" in fields) {
    form.append("a", new File(["three"], "3"));
  }
  const url = "http://host/rpc/Files/Upload";
  const init = { method: "POST", body: form };
  expect((await server.fetch(new Request(url, init))).status).toBe(200);
  expect(messages).toEqual([{ title: "fits", ...files }]);
});

it.each(["json", "file"])("refuses a second part %s", async (name) => {
  const upload = vi.fn(() => ({}));
  const fields = { files: ["file"], fileLists: ["others"] };
  const server = createUploads(upload, {}, fields);
  const form = new FormData();
  form.append("json", '{"title":"fits"}');
  form.append("file", new File(["one"], "1"));
  if (name === "json") form.append("json", '{"title":"other"}');
  else form.append("file", new File(["two"], "2"));
  const url = "http://host/rpc/Files/Upload";
  const init = { method: "POST", body: form };
  const answer = await server.fetch(new Request(url, init));
  expect(answer.status).toBe(400);
  const cause = `part ${name}: expected one, got several`;
  expect(await answer.json()).toMatchObject({ cause });
  expect(upload).not.toHaveBeenCalled();
});

it.each(["json", "file"])(
  "refuses a part %s after the last file",
  async (name) => {
    const read: unknown[] = [];
    const server = createUploads(async (request) => {
      read.push(await readFiles(Object(request).file));
      return {};
    });
    const form = new FormData();
    form.append("json", '{"title":"fits"}');
    form.append("file", new File(["one"], "1"));
    form.append("other", "ignored");
    form.append(name, new File(["{}"], "2"));
    const init = { method: "POST", body: form };
    const request = new Request("http://host/rpc/Files/Upload", init);
    const answer = await server.fetch(request);
    expect(answer.status).toBe(400);
    const cause = `part ${name}: expected one, got several`;
    expect(await answer.json()).toMatchObject({ cause });
    expect(read).toEqual([]);
  },
);

const own = "https://own.example";

it.each([
  ["a page of another site", { origin: "https://a.example" }, "*", 400],
  ["a page of the same site", { "sec-fetch-site": "same-site" }, "*", 400],
  ["no origin", { origin: null }, [own], 400],
  ["an origin that is not listed", { origin: "https://a.example" }, [own], 400],
  ["a listed origin", { origin: own }, [own], 200],
  ["the same origin", { "sec-fetch-site": "same-origin" }, "*", 200],
  ["a program", { "sec-fetch-site": null }, "*", 200],
  [
    "a page of another site without TLS",
    { "sec-fetch-site": null, origin: "http://a.example" },
    "*",
    400,
  ],
  [
    "a page of no origin without TLS",
    { "sec-fetch-site": null, origin: "null" },
    "*",
    400,
  ],
  [
    "a page of a listed origin without TLS",
    { "sec-fetch-site": null, origin: own },
    [own],
    200,
  ],
  [
    "a page of the server without TLS",
    { "sec-fetch-site": null, origin: "http://host" },
    "*",
    200,
  ],
] as const)("answers an upload of %s", async (_, given, origins, status) => {
  const upload = vi.fn(() => ({}));
  const server = createUploads(upload, { cors: { origins } });
  const body = new FormData();
  body.append("json", '{"title":"fits"}');
  body.append("file", new File(["one"], "1"));
  const headers = { "sec-fetch-site": "cross-site", ...given };
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  );
  const init = { method: "POST", body, headers: sent };
  const url = "http://host/rpc/Files/Upload";
  const answer = await server.fetch(new Request(url, init));
  expect(answer.status).toBe(status);
  expect(upload).toHaveBeenCalledTimes(status === 200 ? 1 : 0);
});
