// Defines errors on clients and servers. Generated error classes extend `RpcError`. Handlers throw these errors, and calls throw or return them.
import * as errors from "@ridlkit/runtime/errors";

// Generated for each contract: the code, HTTP status, and message of every error.
const table = errors.errorTable({
  BookNotFound: [1404, 404, "Book not found"],
});

// Handlers can throw a built-in error or one from the contract.
const cause = "the disk is full";
const failure = new errors.WebrpcInternalErrorError({ message: "", cause });
console.log(errors.isRpcError(failure, "WebrpcInternalError")); // true
console.log(errors.describeError(failure)); // WebrpcInternalError: the disk is full
const missing = new errors.RpcError(table.BookNotFound, {
  message: "No book has this ISBN",
});

// An error that carries data.
const data = { left: 3 };
const soldOut = new errors.DataError(
  { name: "SoldOut", code: 1409, message: "Sold out", status: 409 },
  { data },
);
console.log(soldOut.data?.left); // 3

// An error with any status. Generated classes take it beside the data.
const given: errors.AnyStatusOptions = { status: 402 };
const refused = new errors.DataError(
  { name: "Refused", code: 1500, message: "Refused", status: 500, ...given },
  { data },
);
console.log(refused.status); // 402

// An error and its JSON on the wire.
const envelope = errors.toEnvelope(missing);
console.log(envelope.code, envelope.msg); // 1404 No book has this ISBN
console.log(errors.fromEnvelope(envelope, 404)?.name); // BookNotFound
