// Creates a client's methods that send or return [files](../../files.md) from a table.
import { get } from "@ridlkit/runtime/codegen/create-client";
import {
  createTransfers,
  download,
  transfer,
} from "@ridlkit/runtime/codegen/create-transfers";
import { options } from "../shop.js";

// One method that uploads a file and downloads another.
const scaleCover = transfer<{ cover: File }, { scaled: File }, never>(
  "/rpc/Shop/ScaleCover",
  { files: ["cover"], file: "scaled" },
);
// One with an address of its own.
const getCover = download<{ isbn: string }, { cover: File }, never>(
  get("/covers/{isbn}"),
  "cover",
);
export const covers = createTransfers(options, { scaleCover, getCover });
