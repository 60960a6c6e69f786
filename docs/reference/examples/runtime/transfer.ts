// Calls methods that send or return [files](../../files.md). Programs import `callTransfer` to call such a method without a client.
import { callTransfer } from "@ridlkit/runtime/transfer";
import { shopUploadCover } from "../generated/client.js";
import { options } from "../shop.js";

const isbn = "9780262510875";
const cover = new File(["cover"], "cover.txt");
console.log(await callTransfer(options, shopUploadCover, { isbn, cover }));
