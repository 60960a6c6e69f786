// Calls methods that send or return [files](../../files.md). Programs import `callTransfer` to call such a method without a client.
import { callTransfer, createTransfers } from "@ridlkit/runtime/transfer";
import { transfer } from "@ridlkit/runtime/transfer";
import { shopUploadCover } from "../generated/client.js";
import { options } from "../shop.js";

const isbn = "9780262510875";
const cover = new File(["cover"], "cover.txt");
console.log(await callTransfer(options, shopUploadCover, { isbn, cover }));

// Without generated code, create a client that uploads one file and downloads another.
const scaleCover = transfer<{ cover: File }, { scaled: File }, never>(
  "/rpc/Shop/ScaleCover",
  { files: ["cover"], file: "scaled" },
);
export const covers = createTransfers(options, { scaleCover });
