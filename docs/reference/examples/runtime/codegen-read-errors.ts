// Reads errors with [their data](../../error-data.md). Generated methods whose errors carry data use it.
import {
  readErrors,
  readErrorsExactly,
} from "@ridlkit/runtime/codegen/read-errors";
import { isRecord, isUint32, type Report } from "@ridlkit/runtime/validation";

function checkStock(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isUint32(value["left"]))
    report.failAt("left", "an unsigned 32-bit integer", value["left"]);
}

const envelope = {
  error: "SoldOut",
  code: 1409,
  msg: "sold out",
  data: { left: 3 },
};
const readers = { SoldOut: { check: checkStock, read: Object } };
console.log(readErrors(readers)(envelope, 409)); // SoldOut, with its data
console.log(readErrorsExactly(readers)(envelope, 409)); // the same
