// Creates a client's methods that send or return [files](../../files.md) from a table.
import {
  createTransfers,
  transfer,
} from "@ridlkit/runtime/codegen/create-transfers";
import { options } from "../shop.js";

// One method that uploads a file and downloads another.
const scaleCover = transfer<{ cover: File }, { scaled: File }, never>(
  "/rpc/Shop/ScaleCover",
  { files: ["cover"], file: "scaled" },
);
export const covers = createTransfers(options, { scaleCover });
