// Sends and receives files in generated clients that use the same names as webrpc's clients. The `compat` target generates calls to `sendFiles`. Programs usually call the client's methods instead.
import { sendFiles } from "@ridlkit/runtime/codegen/webrpc-transfer";
import { shopUploadCover } from "../generated/client.js";
import { options } from "../shop.js";

const send = sendFiles(shopUploadCover);
const method = { call: shopUploadCover.message, hasRequest: true };
const cover = new File(["cover"], "cover.txt");
const request = { isbn: "9780262510875", cover };
console.log(await send(options, method.call, request, {}));
