// Sends and receives files in clients with webrpc's names. The target `compat` generates calls to this function.
import { sendFiles } from "@ridlkit/runtime/webrpc-transfer";
import { shopUploadCover } from "../generated/client.js";
import { options } from "../shop.js";

const send = sendFiles(shopUploadCover);
const method = { call: shopUploadCover.message, hasRequest: true };
const cover = new File(["cover"], "cover.txt");
const request = { isbn: "9780262510875", cover };
console.log(await send(options, method.call, request, {}));
