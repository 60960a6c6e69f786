import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

import { OutboundError } from "./outbound-error.js";

/**
 * Reads and decompresses a body up to `maxBytes` decompressed bytes.
 *
 * Input: `encoding` has the format of the `Content-Encoding` header, or is `""`
 * if there is no encoding.
 * Errors: `OutboundError`, or any error from the streams.
 */
export async function readBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpack(body, encoding)) {
    size += chunk.length;
    if (size > maxBytes) {
      const message = `the response is larger than ${maxBytes} bytes`;
      throw new OutboundError("too-large", message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const unpackers: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function unpack(body: Readable, encoding: string): AsyncIterable<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const create = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
  if (create === undefined) {
    body.destroy();
    const message = "the response has an unknown content encoding";
    throw new OutboundError("unreachable", message);
  }
  // The reader of the last stream receives all errors.
  return pipeline(body, create(), () => undefined);
}
