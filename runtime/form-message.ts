import { bodyTooLarge } from "./body.js";
import { WebrpcBadRequestError } from "./errors.js";
import type { ServerRequest } from "./exchange.js";
import type { Limits } from "./limits.js";
import type { UploadFields } from "./server-method.js";

/**
 * A request message with files: `multipart/form-data` with the other fields as
 * JSON in the part `json`, and a part for each file, named after its field.
 *
 * Output: the JSON text, and what of the files belongs to which field.
 * Errors: `WebrpcBadRequest`.
 */
export async function readForm(
  request: ServerRequest,
  { files = [], fileLists = [] }: UploadFields,
  { maxBodyBytes, maxUploadBytes }: Limits,
): Promise<{ json: string; files: Readonly<Record<string, unknown>> }> {
  const contentType = request.header("content-type") ?? "";
  const bytes = await request.bytes(maxUploadBytes);
  const form = await parseForm(bytes, contentType);
  const fields = new Map<string, unknown>();
  for (const name of files) fields.set(name, filesOf(form, name)[0]);
  // No part at all may be a list without elements.
  for (const name of fileLists) fields.set(name, filesOf(form, name));
  return {
    json: await jsonOf(form, maxBodyBytes),
    files: Object.fromEntries(fields),
  };
}

async function parseForm(
  bytes: Uint8Array,
  contentType: string,
): Promise<FormData> {
  const headers = { "content-type": contentType };
  try {
    return await new Response(new Uint8Array(bytes), { headers }).formData();
  } catch {
    const cause = "body: expected multipart/form-data";
    throw new WebrpcBadRequestError({ cause });
  }
}

function filesOf(form: FormData, name: string): readonly File[] {
  const parts = form.getAll(name);
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part]));
}

/** Without the part `json` there are no other fields. */
async function jsonOf(form: FormData, maxBytes: number): Promise<string> {
  const part = form.get("json") ?? "{}";
  const text = typeof part === "string" ? part : await part.text();
  if (new TextEncoder().encode(text).byteLength > maxBytes) {
    throw bodyTooLarge(maxBytes);
  }
  return text;
}
