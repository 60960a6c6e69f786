import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FetchRequest } from "../../../runtime/typescript/server/fetch-request.js";
import { limitsOf } from "../../../runtime/typescript/server/model/limits.js";
import { readMessageParts } from "../../../runtime/typescript/server/requests/form-message.js";
import { Chunks } from "../../../runtime/typescript/wire/chunks.js";
import { toFile } from "../../../runtime/typescript/wire/file-data.js";
import { endOfUpload, startOfUpload, uploadHeaders } from "./upload-server.js";

afterEach(() => vi.unstubAllGlobals());

describe("chunks", () => {
  it("are joined in order", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array(), { maxLength: 2500 }), (given) => {
        const chunks = new Chunks();
        for (const chunk of given) chunks.add(chunk);
        const whole = Buffer.concat(given);
        expect(Buffer.compare(chunks.join(), whole)).toBe(0);
        expect(chunks.byteLength).toBe(whole.byteLength);
      }),
      { numRuns: 100 },
    );
  });

  it("are copied early if there are many, so that they can be freed", () => {
    const chunks = new Chunks();
    const chunk = Uint8Array.of(1);
    for (let index = 0; index < 2500; index += 1) chunks.add(chunk);
    chunk[0] = 2;
    const copied = chunks.join().filter((byte) => byte === 1);
    expect(copied.length).toBe(2000);
  });
});

it("keeps a file that arrives byte by byte in a single blob", async () => {
  let blobCount = 0;
  vi.stubGlobal(
    "Blob",
    class extends Blob {
      constructor(...values: ConstructorParameters<typeof Blob>) {
        super(...values);
        blobCount += 1;
      }
    },
  );
  const text = `${startOfUpload("a")}${"x".repeat(2000)}${endOfUpload}`;
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const init = { method: "POST", headers: uploadHeaders, body, duplex: "half" };
  const request = new FetchRequest(new Request("http://a/", init), null, null);
  const fields = { fileLists: ["file"] };
  const { files } = await readMessageParts(request, fields, limitsOf({}, {}));
  const [file] = Object(files["file"]);
  expect(await (await toFile(file)).text()).toBe("x".repeat(2000));
  expect(blobCount).toBe(1);
});
