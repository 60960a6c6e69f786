import type {
  CallArguments,
  CallOptions,
  ClientInterceptor,
  ClientOptions,
  Fetch,
} from "./call.js";
import type { ClientMethod } from "./client-method.js";
import { fileNameIn } from "../wire/disposition.js";
import type { FileData } from "../wire/file-data.js";
import { type FilePart, toParts } from "../wire/file-parts.js";
import { createStreamLost } from "./transport-error.js";
import { same } from "../values/same.js";
import { call as callMethod } from "./client.js";

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
  let parts: Promise<readonly FilePart[]> | undefined;
  let signal: AbortSignal | null = null;
  let incoming: Incoming | undefined;
  return new Promise((resolve, reject) => {
    const sendFiles: Fetch = async (url, init) => {
      const read = await parts;
      const sent = files.length > 0 ? toFormRequest(init, read ?? []) : init;
      const { via = same } = message;
      const response = await via(options.fetch ?? fetch)(url, sent);
      if (file === null || !response.ok) return response;
      const { body, headers, status } = response;
      // An interceptor may have sent the request twice at the same time.
      if (incoming !== undefined) body?.cancel().catch(() => {});
      else incoming = toDownload(response, init.signal);
      // According to the contract, the response consists of this one field.
      resolve({ [file]: incoming.download });
      return new Response(null, { headers, status });
    };
    // All attempts share the files, so the end of one does not stop reading.
    const keepSignal: ClientInterceptor = (next) => (sent) => {
      signal = sent.signal;
      return next(sent);
    };
    // This is part of the call, because its limits also apply to reading files
    // and to the whole content of a download.
    const transferFiles: ClientInterceptor = (next) => async (sent) => {
      await (parts ??= toParts(entries.filter(isFile), signal));
      // A download that has begun is not sent again.
      const response =
        incoming === undefined
          ? await next(sent)
          : { [String(file)]: incoming.download };
      await incoming?.ended;
      return response;
    };
    const use = [keepSignal, ...(options.use ?? []), transferFiles];
    const all = { ...options, fetch: sendFiles, use };
    const method: ClientMethod =
      file === null ? message : { ...message, decode: same, parse: same };
    // `rest` lacks the files, which are sent in the form.
    callMethod(all, method, rest, call).then(
      (response) => {
        incoming?.finish();
        resolve(response);
      },
      (error: unknown) => {
        incoming?.fail(error);
        reject(error);
      },
    );
  });
}

/** Converts a request to a form whose `json` part is the body. */
function toFormRequest(
  init: RequestInit,
  parts: readonly FilePart[],
): RequestInit {
  const form = new FormData();
  form.append("json", String(init.body));
  for (const [field, file, name] of parts) form.append(field, file, name);
  const headers = new Headers(init.headers);
  // `fetch` sets this header, including the form's boundary.
  headers.delete("content-type");
  return { ...init, headers, body: form };
}

/** A file that is still being received. */
interface Incoming {
  readonly download: FileData;
  /**
   * Resolves when the content has arrived, or when its reader wants no more of
   * it. Rejects if the transfer breaks off.
   */
  readonly ended: Promise<void>;
  /** Tells the reader that the content is complete. */
  finish(): void;
  /** Tells the reader why there is no more content. */
  fail(error: unknown): void;
}

/**
 * Returns a response's file. Its reader reaches the end only when the call has
 * succeeded, because an interceptor can still reject the response.
 */
function toDownload(
  { body, headers }: Response,
  signal: AbortSignal | null | undefined,
): Incoming {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const content = body ?? new Blob().stream();
  const options = { preventAbort: true, preventClose: true };
  const ended = content
    .pipeTo(writable, { ...options, ...(signal && { signal }) })
    .catch(async (cause: unknown) => {
      if (signal?.aborted) throw signal.reason;
      // If the reader has canceled the download, the response is closed, too.
      const { closed } = content.getReader();
      return closed.catch(() => {
        throw createStreamLost({ cause });
      });
    });
  const length = headers.get("content-length") ?? "";
  // If the response is compressed, the header does not contain the content's
  // length.
  const isPlain = /^\d+$/u.test(length) && !headers.has("content-encoding");
  const download: FileData = {
    name: fileNameIn(headers.get("content-disposition") ?? ""),
    type: headers.get("content-type") ?? "application/octet-stream",
    ...(isPlain && { size: Number(length) }),
    stream: () => readable,
  };
  return {
    download,
    ended,
    finish: () => void writable.close().catch(() => {}),
    // While content arrives, the stream is locked.
    fail: (error) =>
      void ended
        .catch(() => {})
        .then(() => writable.abort(error))
        .catch(() => {}),
  };
}
