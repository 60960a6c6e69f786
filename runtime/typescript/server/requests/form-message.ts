import { Chunks } from "../../wire/chunks.js";
import { bodyTooLarge, decodeBody } from "./body.js";
import { decodeText } from "./decode-part.js";
import type { RpcError } from "../../wire/errors.js";
import type { ServerRequest } from "../model/exchange.js";
import type { FileData } from "../../wire/file-data.js";
import type { FormPair } from "./form-fields.js";
import { FormReader, type PartHead } from "./form-reader.js";
import type { RequestLimits } from "../model/body-pace.js";
import { badRequest } from "./rejection.js";
import { streamedFile } from "./streamed-file.js";
import type { UploadFields } from "../model/server-method.js";

/** The parts of a request message with files. */
export interface FormMessage {
  /** The other fields as JSON. */
  readonly json: string;
  /** Files and lists of files by field. */
  readonly files: Readonly<Record<string, unknown>>;
}

/**
 * Reads `multipart/form-data`. The `json` part contains the other fields, and
 * there is one part for each file, named after its field. Files are kept in
 * memory, except that the handler reads the last one directly if no other file
 * can follow. It gets an error if one does.
 *
 * Errors: `WebrpcBadRequest`, and any error from reading the body. If a file is
 * read later, its reader gets the errors.
 */
export async function readMessageParts(
  request: ServerRequest,
  fields: UploadFields,
  limits: RequestLimits,
): Promise<FormMessage> {
  return withForm(request, limits, (form) => readParts(form, fields, limits));
}

/** Reads a form, and cancels the request if that fails. */
async function withForm<Read>(
  request: ServerRequest,
  limits: RequestLimits,
  read: (form: FormReader) => Promise<Read>,
): Promise<Read> {
  const contentType = request.header("content-type") ?? "";
  const form = new FormReader(contentType, request.chunks(limits.upload));
  try {
    return await read(form);
  } catch (error) {
    form.cancel();
    throw error;
  }
}

/**
 * Reads `multipart/form-data` with a part for each field, as HTML forms send it.
 * The parts can have any order, so all of them are kept in memory: files as long
 * as uploads may be, and texts as long as other bodies may be.
 *
 * Input: `isKnown` tells by the first name of a part, e.g. `a` for `a[b]`, whether
 * it is a field. Other parts are skipped.
 * Errors: `WebrpcBadRequest`, and any error from reading the body.
 */
export async function readFormPairs(
  request: ServerRequest,
  { fileLists = [], files = [] }: UploadFields,
  limits: RequestLimits,
  isKnown: (name: string) => boolean,
): Promise<readonly FormPair[]> {
  const { maxBytes } = limits.body;
  const pairs: FormPair[] = [];
  let left = maxBytes;
  await withForm(request, limits, async (form) => {
    for (;;) {
      const part = await form.next();
      if (part === null) return;
      const { fileName, name } = part;
      const [field = ""] = name.split("[", 1);
      if (!isKnown(field)) continue;
      left -= name.length;
      if (left < 0) throw bodyTooLarge(maxBytes);
      // The contract says what is a file, because many senders name none.
      if (files.includes(field) || fileLists.includes(field)) {
        const file = await readFile(form, part, fileName ?? "");
        // Browsers send such a part if the user has chosen no file.
        if (file.name !== "" || file.size !== 0) pairs.push([name, file]);
        continue;
      }
      const bytes = await readBytes(form, left, maxBytes);
      left -= bytes.length;
      pairs.push([name, decodeText(bytes)]);
    }
  });
  return pairs;
}

async function readParts(
  form: FormReader,
  { files = [], fileLists = [] }: UploadFields,
  limits: RequestLimits,
): Promise<FormMessage> {
  const found = new Map<string, FileData>();
  const lists = new Map<string, FileData[]>();
  for (const name of fileLists) lists.set(name, []);
  const maxJsonBytes = limits.body.maxBytes;
  let json: string | null = null;
  for (;;) {
    const part = await form.next();
    if (part === null) break;
    const { fileName, name } = part;
    const isFile =
      fileName !== null && (files.includes(name) || lists.has(name));
    // The `json` part can also be a Blob, which browsers send with a file name.
    if (name === "json" && !isFile) {
      if (json !== null) throw severalParts(name);
      json = await readText(form, maxJsonBytes);
    }
    if (!isFile) continue;
    lists.get(name)?.push(await readFile(form, part, fileName));
    if (!files.includes(name)) continue;
    if (found.has(name)) throw severalParts(name);
    const isLast = json !== null && found.size === files.length - 1;
    if (isLast && fileLists.length === 0) {
      limits.upload.held?.pass();
      found.set(name, streamFile(form, part, fileName, files));
      break;
    }
    found.set(name, await readFile(form, part, fileName));
  }
  return {
    json: json ?? "{}",
    files: Object.fromEntries([...found, ...lists]),
  };
}

function severalParts(name: string): RpcError {
  return badRequest(`part ${name}: expected one, got several`);
}

async function readText(form: FormReader, maxBytes: number): Promise<string> {
  return decodeBody(await readBytes(form, maxBytes, maxBytes));
}

/**
 * Reads a part into memory.
 *
 * Errors: `WebrpcBadRequest` that names the limit `maxBytes` if more bytes than
 * `left` arrive, and any error from reading the body.
 */
async function readBytes(
  form: FormReader,
  left: number,
  maxBytes: number,
): Promise<Uint8Array> {
  const pieces = new Chunks();
  for (;;) {
    const piece = await form.read();
    if (piece === null) return pieces.join();
    pieces.add(piece);
    if (pieces.byteLength > left) throw bodyTooLarge(maxBytes);
  }
}

/** Minimum size of a file's blobs. Each blob has an overhead of about 1 kB. */
const minBlobBytes = 64 * 1024;

async function readFile(
  form: FormReader,
  { type }: PartHead,
  name: string,
): Promise<File> {
  const blobs: Blob[] = [];
  let pieces = new Chunks();
  for (;;) {
    const piece = await form.read();
    if (piece !== null) pieces.add(piece);
    if (piece === null || pieces.byteLength >= minBlobBytes) {
      // Copy the pieces, because they are views of larger buffers.
      blobs.push(new Blob([new Uint8Array(pieces.join())]));
      pieces = new Chunks();
    }
    if (piece === null) return new File(blobs, name, { type });
  }
}

/**
 * Returns a file that is still being received. Whoever reads it to its end gets
 * an error if another part of the message follows.
 */
function streamFile(
  form: FormReader,
  { type }: PartHead,
  name: string,
  files: readonly string[],
): FileData {
  const read = async (): Promise<Uint8Array | null> =>
    (await form.read()) ?? refuseRest(form, files);
  return streamedFile({ name, type }, read, () => form.cancel());
}

/** Reads the rest of a form that must not contain another part of its message. */
async function refuseRest(
  form: FormReader,
  files: readonly string[],
): Promise<null> {
  for (;;) {
    const part = await form.next();
    if (part === null) return null;
    const { fileName, name } = part;
    const isKnown = fileName !== null && files.includes(name);
    if (isKnown || name === "json") throw severalParts(name);
  }
}
