import fc from "fast-check";
import { expect, test } from "vitest";
import { RecoveringReader } from "../../tools/editor/lsp/rpc/recovering-reader.js";
import { codePoint } from "../../tools/test/code-point.js";

/** Reads chunks. Returns the messages and the number of reported faults. */
function readAll(chunks: readonly Uint8Array[]) {
  const messages: object[] = [];
  const faults: string[] = [];
  const reader = new RecoveringReader(
    (message) => messages.push(message),
    (fault) => faults.push(fault),
  );
  for (const chunk of chunks) reader.add(Buffer.from(chunk));
  return { messages, faultCount: faults.length };
}

const frame = (message: object): string => {
  const content = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`;
};

const message = fc
  .record({ method: fc.string({ unit: codePoint }), id: fc.nat() })
  .map((each) => ({ jsonrpc: "2.0", ...each }));

/** Bytes that do not form a message. */
const faults = [
  "hello",
  "hello\r\n\r\n",
  "\r\n\r\n",
  "Content-Length: abc\r\n\r\n{}",
  "Content-Length: -5\r\n\r\n{}",
  "Content-Length: 5\r\n\r\n{]{]{",
  "Content-Length: 2\r\n\r\n[]",
  "Content-Length: 4\r\n\r\nnull",
  'Content-Length: 9\r\n\r\n{"jsonrpc":"2.0"}',
  'Content-Length: 100000\r\n\r\n{"jsonrpc":"2.0"}',
  'Content-Length: 99999999999999999999\r\n\r\n{"jsonrpc":"2.0"}',
] as const;

/** Splits a string into byte chunks of any size. */
function cut(text: string, lengths: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const chunks: Uint8Array[] = [];
  let start = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(start, start + length));
    start += length;
  }
  return [...chunks, bytes.subarray(start)];
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 200 });

test("reads every message despite garbage between messages, in chunks of any size", () =>
  fc.assert(
    fc.property(
      fc.array(fc.oneof(message, fc.constantFrom(...faults)), {
        maxLength: 12,
      }),
      message,
      lengths,
      (items, last, where) => {
        const text = [...items, last]
          .map((each) => (typeof each === "string" ? each : frame(each)))
          .join("");
        const { faultCount, messages } = readAll(cut(text, where));
        const sent = items.filter((each) => typeof each === "object");
        expect(messages).toEqual([...sent, last]);
        expect(faultCount > 0).toBe(sent.length < items.length);
      },
    ),
  ));

test.each(faults)("reads the message after %j byte by byte", (fault) => {
  const next = { jsonrpc: "2.0", id: 1 };
  const bytes = Buffer.from(fault + frame(next));
  const { faultCount, messages } = readAll(
    Array.from(bytes, (byte) => Uint8Array.of(byte)),
  );
  expect(messages).toEqual([next]);
  expect(faultCount).toBeGreaterThan(0);
});
