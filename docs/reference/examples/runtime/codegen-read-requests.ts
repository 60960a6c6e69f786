// Reads REST requests and uploads. Rows of generated tables name what their method needs, so bundles of servers contain no more.
import { createServer } from "@ridlkit/runtime/codegen/create-server";
import {
  readFile,
  readForm,
  readParts,
  readRest,
  readUpload,
} from "@ridlkit/runtime/codegen/read-requests";
import { builtInErrors } from "@ridlkit/runtime/errors";

const row = {
  service: "Shop",
  name: "GetBook",
  handler: ["shop", "getBook"],
  credentials: [],
  checkRequest: null,
  checkResponse: null,
  validationError: builtInErrors.WebrpcBadRequest,
} as const;
const route = {
  kind: "rest",
  path: "/books/{id}",
  read: readRest,
  body: null,
} as const;
const options: object = { handlers: { shop: { getBook: () => ({}) } } };
const server = createServer(options, [{ ...row, route }]);
console.log((await server.fetch(new Request("http://shop/books/7"))).status); // 200

export const others = {
  form: readForm({ fields: { title: "text" } }),
  formWithFiles: readParts({ fields: { title: "text", cover: "file" } }),
  file: readFile,
  /** The files of an RPC method. */
  upload: readUpload,
};
