import type { Credential } from "../../generator/ir/contract.js";
import { printCurl, quoteShell } from "../test/print-curl.js";
import type {
  DrawnRequest,
  FormBody,
  FormFile,
} from "../test/drawn-request.js";

/** What a printed command depends on besides the request. */
export interface CurlOptions {
  /** Names of the headers whose values become variables. */
  readonly secret: ReadonlySet<string>;
  readonly credentials: readonly Credential[];
  readonly files: readonly FormFile[];
  /** Further flags, e.g. `--no-buffer`. */
  readonly flags: readonly string[];
}

/**
 * Returns the curl command for the request that a client sends.
 *
 * Input: a function that calls a method with the given `fetch`. No request is
 * sent, so the call fails.
 */
export async function captureCurl(
  call: (send: typeof fetch) => Promise<unknown>,
  { credentials, files, flags, secret }: CurlOptions,
): Promise<string> {
  let command = "";
  const capture: typeof fetch = async (input, init = {}) => {
    const request = await toRequest(init, secret, files);
    command = printCurl(String(input), request, secret, credentials);
    throw new Error("no request is sent");
  };
  await call(capture).catch((error: unknown) => {
    if (command === "") throw error;
  });
  return [command, ...flags].join(" \\\n  ");
}

async function toRequest(
  { body, headers, method = "GET" }: RequestInit,
  secret: ReadonlySet<string>,
  files: readonly FormFile[],
): Promise<DrawnRequest> {
  const all = new Headers(headers);
  const type = all.get("content-type") ?? "";
  const isParts =
    body instanceof Blob && type.startsWith("multipart/form-data; boundary=");
  const form = isParts
    ? await new Response(body, { headers: all }).formData()
    : body;
  // `curl` writes it with a boundary of its own.
  if (isParts) all.delete("content-type");
  const shown = [...all].filter(([name]) => !secret.has(name));
  const request = {
    verb: method,
    path: "",
    headers: Object.fromEntries(shown),
  };
  if (form instanceof FormData) {
    return {
      ...request,
      body: { texts: textsIn(form), files: filesIn(form, files) },
    };
  }
  const [file] = files;
  if (form instanceof Blob && file !== undefined) {
    return { ...request, body: null, file: file.path };
  }
  return { ...request, body: form ? await new Response(form).text() : null };
}

function textsIn(form: FormData): FormBody["texts"] {
  return [...form].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
}

/** Returns the files with the names of their parts. */
function filesIn(
  form: FormData,
  files: readonly FormFile[],
): readonly FormFile[] {
  return files.map((file) => {
    const name = `${file.field}[]`;
    return form.has(name) ? { ...file, field: name } : file;
  });
}

/** Returns the flag that writes the response to a file. */
export function outputFlag(path: string): string {
  return `--output ${quoteShell(path)}`;
}
