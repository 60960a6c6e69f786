import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { readUpload } from "../../../runtime/typescript/codegen/read-requests.js";
import type {
  RpcServer,
  ServerMethod,
  ServerOptions,
} from "../../../runtime/typescript/server/server.js";
import type {
  Handler,
  UploadFields,
} from "../../../runtime/typescript/server/model/server-method.js";
import { isRecord } from "../../../runtime/typescript/values/validation.js";
import type { Report } from "../../../runtime/typescript/values/validation.js";
import { plainRow } from "./sample-server.js";

function checkUpload(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (value["title"] !== "fits") report.failAt("title", "fits", value["title"]);
}

const route = { kind: "rpc", path: "/rpc/Files/Upload" } as const;

const uploadRow: ServerMethod = {
  ...plainRow,
  service: "Files",
  name: "Upload",
  handler: ["files", "upload"],
  route,
  checkRequest: checkUpload,
};

/**
 * Creates a server with one method that takes a title and files, or only a title
 * if `fields` is null.
 */
export function createUploads<State = undefined>(
  upload: Handler,
  options: ServerOptions<State> = {},
  fields: UploadFields | null = { files: ["file"] },
  own: Partial<ServerMethod> = {},
): RpcServer {
  const all = { ...options, handlers: { files: { upload } } };
  const row: ServerMethod =
    fields === null
      ? uploadRow
      : {
          ...uploadRow,
          ...own,
          upload: fields,
          route: { ...route, read: readUpload },
        };
  return createServer(all, [row]);
}

/** The headers of an upload. */
export const uploadHeaders = {
  "content-type": "multipart/form-data; boundary=b",
};

/** Returns the body of an upload up to the content of the file. */
export function startOfUpload(title: string): string {
  return [
    `--b\r\nContent-Disposition: form-data; name="json"\r\n\r\n`,
    `${JSON.stringify({ title })}\r\n`,
    `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
  ].join("");
}

/** The rest of the body after the content of the file. */
export const endOfUpload = "\r\n--b--\r\n";
