import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { FormReader } from "../../../runtime/typescript/server/requests/form-reader.js";

interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly type: string;
  readonly bytes: Uint8Array;
}

async function* inPieces(
  bytes: Uint8Array,
  sizes: readonly number[],
): AsyncGenerator<Uint8Array> {
  let rest = bytes;
  for (const size of sizes) {
    yield rest.subarray(0, size);
    rest = rest.subarray(size);
  }
  yield rest;
}

async function readParts(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Part[]> {
  const form = new FormReader(contentType, body);
  const parts: Part[] = [];
  for (;;) {
    const head = await form.next();
    if (head === null) return parts;
    const pieces: Uint8Array[] = [];
    for (;;) {
      const piece = await form.read();
      if (piece === null) break;
      pieces.push(piece);
    }
    parts.push({ ...head, bytes: new Uint8Array(Buffer.concat(pieces)) });
  }
}

function readText(text: string, type = 'multipart/form-data; boundary="b"') {
  return readParts(type, inPieces(new TextEncoder().encode(text), []));
}

/** Bytes that are likely to resemble the start of a delimiter. */
const trickyBytes = fc
  .array(fc.constantFrom("\r", "\n", "-", "--", "\r\n--", "b", "x", "\0"))
  .map((parts) => new TextEncoder().encode(parts.join("")));

describe("a form", () => {
  it("is read as `FormData` writes it, in chunks of any size", async () => {
    // These names can be encoded without loss.
    const name = fc.stringMatching(/^[a-zA-Zé"\u{1f600} ]{1,9}$/u);
    const type = fc.constantFrom("", "image/png", "text/plain; charset=utf-8");
    const file = fc.record({ name, fileName: name, type, bytes: trickyBytes });
    const text = fc.record({ name, value: fc.stringMatching(/^[\w -]*$/u) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(file, text), { maxLength: 5 }),
        fc.oneof(
          fc.array(fc.nat(60), { maxLength: 30 }),
          fc.constant(Array<number>(2000).fill(1)),
        ),
        async (given, sizes) => {
          const form = new FormData();
          for (const part of given) {
            if ("value" in part) form.append(part.name, part.value);
            else {
              const bytes = new Uint8Array(part.bytes);
              const blob = new File([bytes], part.fileName, part);
              form.append(part.name, blob, part.fileName);
            }
          }
          const response = new Response(form);
          const contentType = response.headers.get("content-type") ?? "";
          const body = new Uint8Array(await response.arrayBuffer());
          const parts = await readParts(contentType, inPieces(body, sizes));
          expect(parts).toEqual(
            given.map((part) =>
              "value" in part
                ? {
                    name: part.name,
                    fileName: null,
                    type: "application/octet-stream",
                    bytes: new TextEncoder().encode(part.value),
                  }
                : {
                    ...part,
                    type: part.type || "application/octet-stream",
                    bytes: new Uint8Array(part.bytes),
                  },
            ),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it("may have unread parts", async () => {
    const bytes = new TextEncoder().encode(
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' +
        '--b\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n--b--',
    );
    const form = new FormReader("x; boundary=b", inPieces(bytes, [50, 3, 9]));
    expect(await form.next()).toMatchObject({ name: "a" });
    expect(await form.next()).toMatchObject({ name: "b" });
    expect(await form.next()).toBeNull();
  });

  it("may have a preamble, padding, and names as Go writes them", async () => {
    const parts = await readText(
      'preamble\r\n--b \t\r\ncontent-type: a/b\r\nCONTENT-DISPOSITION: form-data; name="n\\"\\\\"; filename=""\r\n\r\n\r\n--b--\r\nepilogue',
    );
    expect(parts).toEqual([
      { name: 'n"\\', fileName: "", type: "a/b", bytes: new Uint8Array() },
    ]);
  });

  it.each([
    ['filename="C:\\dir\\"; name="f"', "C:\\dir\\"],
    ['name="f"; filename="a\\"', "a\\"],
    ['name="f"; filename="a%22\\"', 'a"\\'],
    ['name="f"; filename="a\\\\"', "a\\"],
    ['filename="a\\"; name=f; x="b"', "a\\"],
    ['name="f"; filename="%0D%0A"', "\r\n"],
    ['NAME="f"; FileName="a"', "a"],
    ["name=\"f\"; filename*=utf-8''%C3%A9.txt", "é.txt"],
    ['name="f"; filename="?.txt"; filename*=utf-8\'\'%C3%A9.txt', "é.txt"],
    ['name="f"; filename="a"; filename*=iso-8859-1\'\'%E9', "a"],
  ])(
    "may have a file name in any of the usual forms: %s",
    async (head, name) => {
      const parts = await readText(
        `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n1\r\n--b--`,
      );
      expect(parts).toMatchObject([{ name: "f", fileName: name }]);
    },
  );

  it("may have names without quotes, as .NET writes them", async () => {
    const parts = await readText(
      '--b\r\nContent-Disposition: form-data; filename="; name=x"; name=a\r\n\r\n1\r\n--b--',
    );
    expect(parts).toEqual([
      {
        name: "a",
        fileName: "; name=x",
        type: "application/octet-stream",
        bytes: new TextEncoder().encode("1"),
      },
    ]);
  });

  it.each([
    ["nothing", ""],
    ["no delimiter", "hello"],
    ["an unfinished part", '--b\r\nContent-Disposition: x; name="a"\r\n\r\n1'],
    ["unfinished headers", '--b\r\nContent-Disposition: x; name="a"'],
    ["no headers", "--b\r\n\r\n1\r\n--b--"],
    ["no name", "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--"],
    [
      "a name after many parameters",
      `--b\r\nContent-Disposition: x${" ;".repeat(16)}; name="a"\r\n\r\n1\r\n--b--`,
    ],
    [
      "a different delimiter",
      '--bc\r\nContent-Disposition: x; name="a"\r\n\r\n1\r\n--b--',
    ],
    [
      "headers that are too long",
      `--b\r\nContent-Disposition: x; name="a"; x="${"x".repeat(20_000)}"\r\n\r\n1\r\n--b--`,
    ],
  ])("is invalid with %s", async (_, text) => {
    const bytes = new TextEncoder().encode(text);
    for (const sizes of [[], [50, 17_000]]) {
      await expect(
        readParts("x; boundary=b", inPieces(bytes, sizes)),
      ).rejects.toMatchObject({
        name: "WebrpcBadRequest",
        cause: "body: expected multipart/form-data",
      });
    }
  });

  it("is invalid without a boundary", async () => {
    for (const type of ["", "multipart/form-data", "x; boundary="]) {
      await expect(readText("----", type)).rejects.toMatchObject({
        name: "WebrpcBadRequest",
      });
    }
  });

  it("has a boundary of at most 70 characters", async () => {
    const read = (boundary: string) =>
      readText(`--${boundary}--`, `x; boundary=${boundary}`);
    expect(await read("b".repeat(70))).toEqual([]);
    await expect(read("b".repeat(71))).rejects.toMatchObject({
      name: "WebrpcBadRequest",
    });
  });

  it("has at most 1000 parts", async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    expect(await readText(`${part.repeat(1000)}--b--`)).toHaveLength(1000);
    await expect(readText(`${part.repeat(1001)}--b--`)).rejects.toMatchObject({
      name: "WebrpcBadRequest",
      cause: "body: expected at most 1000 parts",
    });
  });

  it("is searched only once for the end of headers", async () => {
    const compare = vi.spyOn(
      Object.getPrototypeOf(Uint8Array.prototype),
      "every",
    );
    const bytes = new TextEncoder().encode(`--b\r\n${"\r".repeat(1000)}`);
    const sizes = Array.from({ length: bytes.length }, () => 1);
    await expect(
      readParts("x; boundary=b", inPieces(bytes, sizes)),
    ).rejects.toThrow();
    expect(compare.mock.calls.length).toBeLessThan(5000);
    compare.mockRestore();
  });

  it("may contain 2 MB that resemble delimiters", async () => {
    const line = "\r\n--".repeat(500_000);
    const text = `--b\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\n${line}\r\n--b--`;
    const bytes = new TextEncoder().encode(text);
    const sizes = Array.from({ length: 200 }, () => 10_000);
    const [part] = await readParts("x; boundary=b", inPieces(bytes, sizes));
    expect(part?.bytes.byteLength).toBe(line.length);
  });
});
