// Sends a form with files as `multipart/form-data`, with a part for each field ([forms](../../ridl.md#forms)). Generated methods use it.
import { connect, type ClientMethod } from "@ridlkit/runtime/client";
import { form } from "@ridlkit/runtime/codegen/create-client";
import { sendParts } from "@ridlkit/runtime/codegen/send-parts";
import { options } from "../shop.js";

const addCover: ClientMethod<{ title: string; cover: Blob }, object> = form(
  "POST",
  "/covers",
  { requestBody: true, use: [sendParts({ cover: "cover" })] },
);
const cover = new Blob(["…"], { type: "image/png" });
const fetch = (): Promise<Response> => Promise.resolve(Response.json({}));
const shop = connect({ ...options, fetch });
console.log(await shop.call(addCover, { title: "SICP", cover }));
