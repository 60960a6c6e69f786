// Sends a file as the [whole body](../../ridl.md#files-as-bodies) of a request, with its media type. Generated methods use it.
import { connect, type ClientMethod } from "@ridlkit/runtime/client";
import { rest } from "@ridlkit/runtime/codegen/create-client";
import { sendFile } from "@ridlkit/runtime/codegen/send-file";
import { options } from "../shop.js";

const putCover: ClientMethod<{ id: string; cover: Blob }, object> = rest(
  "PUT",
  "/covers/{id}",
  { use: [sendFile("cover")] },
);
const cover = new Blob(["…"], { type: "image/png" });
const fetch = (): Promise<Response> => Promise.resolve(Response.json({}));
const shop = connect({ ...options, fetch });
console.log(await shop.call(putCover, { id: "7", cover }));
