import type {
  Call,
  CallArguments,
  CallOptions,
  ClientInterceptor,
  ClientOptions,
  Fetch,
} from "./call.js";
import { rpc, type ClientMethod, type MethodOptions } from "./client-method.js";
import { dispositionParameter } from "../wire/disposition.js";
import { type FileData, isFileData, toFile } from "../wire/file-data.js";
import { callsOf, settle } from "./settle.js";
import { createTransportError } from "./transport-error.js";
import { call as callMethod } from "./transport.js";

/** Properties of a method that sends or returns files. */
export interface TransferOptions<Request, Response> extends MethodOptions<
  Request,
  Response
> {
  /** Request fields that are files or lists of files. */
  readonly files?: readonly string[];
  /** The response field that is a file and makes up the whole body. */
  readonly file?: string;
}

/**
 * Describes how to call a method that transfers files. `transfer` creates such
 * objects.
 */
export interface TransferMethod<
  Request = unknown,
  Response = unknown,
  Failure = unknown,
> {
  /** Describes everything but the files. */
  readonly message: ClientMethod<Request, Response, Failure>;
  readonly files: readonly string[];
  readonly file: string | null;
}

/**
 * Describes a method that has files in its request or returns a file.
 *
 * Input: its path, e.g. `/rpc/Users/UploadAvatar`.
 */
export function transfer<Request, Response, Failure>(
  path: string,
  options: TransferOptions<Request, Response> = {},
): TransferMethod<Request, Response, Failure> {
  const { files = [], file = null, ...rest } = options;
  return { message: rpc(path, rest), files, file };
}

/** The calls for a table of methods that transfer files. */
export type Transfers<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends TransferMethod<
    infer Request,
    infer Response,
    infer Failure
  >
    ? Call<Request, Response, Failure>
    : never;
};

/**
 * Creates a client's file-transfer methods from a table.
 *
 * Example: `createTransfers(options, { uploadAvatar: usersUploadAvatar })`.
 */
export function createTransfers<
  Methods extends Readonly<Record<string, TransferMethod>>,
>(options: ClientOptions, methods: Methods): Transfers<Methods>;
/** Implements the signature above. */
export function createTransfers(
  options: ClientOptions,
  methods: Readonly<Record<string, TransferMethod>>,
): unknown {
  const callOf =
    (method: TransferMethod) => (request?: unknown, own?: CallOptions) =>
      callTransfer(options, method, request, own);
  return callsOf(methods, callOf, settle);
}

/**
 * Calls one method that transfers files. Bundles include only that method.
 *
 * Example: `callTransfer(options, usersUploadAvatar, { userId: 7, avatar })`.
 * Errors: see `Call`.
 */
export function callTransfer<Request, Response, Failure>(
  options: ClientOptions,
  method: TransferMethod<Request, Response, Failure>,
  ...args: CallArguments<Request>
): Promise<Response>;
/** Implements the signature above. */
export async function callTransfer(
  options: ClientOptions,
  { file, files, message }: TransferMethod,
  request?: unknown,
  call?: CallOptions,
): Promise<unknown> {
  const entries = Object.entries(Object(request));
  const isFile = ([name]: [string, unknown]): boolean => files.includes(name);
  const rest = Object.fromEntries(entries.filter((entry) => !isFile(entry)));
  let parts: readonly Part[] | undefined;
  // This is part of the call, because its limits also apply to reading files.
  const readFiles: ClientInterceptor = (next) => async (sent) => {
    parts ??= await toParts(entries.filter(isFile), sent.signal);
    return next(sent);
  };
  return new Promise((resolve, reject) => {
    const sendFiles: Fetch = async (url, init) => {
      const sent = files.length > 0 ? toFormRequest(init, parts ?? []) : init;
      const response = await (options.fetch ?? fetch)(url, sent);
      if (file === null || !response.ok) return response;
      const { download, ended } = toDownload(response, init.signal);
      // According to the contract, the response consists of this one field.
      resolve({ [file]: download });
      // Keep the call running, so its limits apply to the whole content.
      await ended;
      return new Response("{}");
    };
    const use = [...(options.use ?? []), readFiles];
    const all = { ...options, fetch: sendFiles, use };
    // `rest` lacks the files, which are sent in the form.
    callMethod(all, message, rest, call).then(resolve, reject);
  });
}

/** A field name and its file. */
type Part = readonly [field: string, file: Blob, name: string];

/**
 * Converts files to parts of a form. Reads streams into memory, because an
 * attempt may have to be repeated, until the signal aborts.
 */
async function toParts(
  fields: readonly [string, unknown][],
  signal: AbortSignal | null,
): Promise<readonly Part[]> {
  const files = fields.flatMap(([field, value]) =>
    [value].flat().map((file: unknown): [string, unknown] => [field, file]),
  );
  return Promise.all(
    files
      .filter((pair): pair is [string, FileData] => isFileData(pair[1]))
      .map(async ([field, file]): Promise<Part> => {
        const content =
          file instanceof Blob ? file : await toFile(untilAbort(file, signal));
        return [field, content, file.name || field];
      }),
  );
}

/** Returns a file whose stream fails and is canceled if the signal aborts. */
function untilAbort(file: FileData, signal: AbortSignal | null): FileData {
  if (signal === null) return file;
  const stream = (): ReadableStream<Uint8Array> =>
    file.stream().pipeThrough(new TransformStream(), { signal });
  return { type: file.type, stream };
}

/** Converts a request to a form whose `json` part is the body. */
function toFormRequest(init: RequestInit, parts: readonly Part[]): RequestInit {
  const form = new FormData();
  form.append("json", String(init.body));
  for (const [field, file, name] of parts) form.append(field, file, name);
  const headers = new Headers(init.headers);
  // `fetch` sets this header, including the form's boundary.
  headers.delete("content-type");
  return { ...init, headers, body: form };
}

/** A file that is still being received, and a promise for its end. */
interface Incoming {
  readonly download: FileData;
  /**
   * Resolves when the transfer ends. Never rejects, because the file's reader
   * gets all errors.
   */
  readonly ended: Promise<void>;
}

/**
 * Returns a response's file. If `signal` aborts the transfer, the signal's
 * reason is the error.
 */
function toDownload(
  { body, headers }: Response,
  signal: AbortSignal | null | undefined,
): Incoming {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const content = body ?? new Blob().stream();
  const options = { preventAbort: true, ...(signal && { signal }) };
  const ended = content
    .pipeTo(writable, options)
    .catch((cause: unknown) =>
      writable.abort(
        signal?.aborted
          ? signal.reason
          : createTransportError("network", { cause }),
      ),
    );
  const length = headers.get("content-length");
  // If the response is compressed, the header does not contain the content's
  // length.
  const isPlain = length !== null && !headers.has("content-encoding");
  const download: FileData = {
    name: nameIn(headers.get("content-disposition") ?? ""),
    type: headers.get("content-type") ?? "application/octet-stream",
    ...(isPlain && { size: Number(length) }),
    stream: () => readable,
  };
  return { download, ended };
}

/**
 * Returns the file name, or "" if there is none. The extended form of the
 * parameter takes precedence (RFC 6266).
 */
function nameIn(disposition: string): string {
  const extended = dispositionParameter(disposition, "filename*");
  const [, encoded] = /^utf-8'[^']*'(.+)$/iu.exec(extended ?? "") ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // Fall back to the plain form of the parameter if there is one.
  }
  return dispositionParameter(disposition, "filename") ?? "";
}
