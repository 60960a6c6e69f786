import type { ClientInterceptor } from "../client/call.js";
import { randomKey } from "../values/random-key.js";
import { type FilePart, toParts } from "../wire/file-parts.js";
import { checkPartNames, escapePartName } from "../wire/part-names.js";

/**
 * Returns an interceptor that sends a form as `multipart/form-data`, with a part
 * for each name of the form and for each file.
 *
 * Input: the request fields that are files or lists of files, with their names in
 * the form.
 * Errors: the calls throw TypeError if a name contains what senders and receivers
 * escape in different ways, or if the platform creates no random numbers, and any
 * error from reading a file.
 */
export function sendParts(
  names: Readonly<Record<string, string>>,
): ClientInterceptor {
  const isFile = ([field]: [string, unknown]): boolean =>
    Object.hasOwn(names, field);
  return (next) => async (call) => {
    const { fetch: send = fetch, method, request, signal } = call;
    const { stringify = JSON.stringify } = method;
    const entries = Object.entries(Object(request));
    // Nobody can put it into a file on purpose.
    const boundary = randomKey();
    if (boundary === undefined) {
      throw new TypeError("a form with files needs crypto.getRandomValues");
    }
    // All attempts send the same files.
    const files = await toParts(entries.filter(isFile), signal);
    return next({
      ...call,
      request: Object.fromEntries(entries.filter((entry) => !isFile(entry))),
      // Errors of `fetch` would be those of the network.
      method: {
        ...method,
        stringify: (message) => checkPartNames(stringify(message)),
      },
      fetch: (url, init) => send(url, withParts(init, files, names, boundary)),
    });
  };
}

/** Turns the text of a form into parts, and adds files. */
function withParts(
  init: RequestInit,
  files: readonly FilePart[],
  names: Readonly<Record<string, string>>,
  boundary: string,
): RequestInit {
  const pairs = [...new URLSearchParams(String(init.body ?? ""))];
  // A form without parts is no body.
  if (pairs.length + files.length === 0) return init;
  const part = (name: string, content: BlobPart, more = ""): BlobPart[] => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`,
    content,
    "\r\n",
  ];
  const headers = new Headers(init.headers);
  headers.set("content-type", `multipart/form-data; boundary=${boundary}`);
  // `FormData` would change line breaks in texts.
  const body = new Blob([
    ...pairs.flatMap(([name, text]) => part(escapePartName(name), text)),
    ...files.flatMap(([field, file, fileName]) =>
      part(
        escapePartName(String(names[field])),
        file,
        `; filename="${escapePartName(fileName)}"\r\nContent-Type: ${file.type || "application/octet-stream"}`,
      ),
    ),
    `--${boundary}--\r\n`,
  ]);
  return { ...init, headers, body };
}
