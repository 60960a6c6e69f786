import { expect, it } from "vitest";
import { isFileData, toFile } from "../../runtime/wire/file-data.js";
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
    { files: ["a"], fileLists: ["b"] },
    { a: "1: one", b: ["2: two"] },
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
  form.append("a", new File(["three"], "3"));
  const url = "http://host/rpc/Files/Upload";
  const init = { method: "POST", body: form };
  expect((await server.fetch(new Request(url, init))).status).toBe(200);
  expect(messages).toEqual([{ title: "fits", ...files }]);
});
