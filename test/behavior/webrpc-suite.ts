import { fileURLToPath } from "node:url";
import {
  envelopeOf,
  exchanges,
  getErrorBody,
  schemaErrors,
} from "../interop/wire-table.js";
import { readContract } from "./conformance/load-contract.js";

const folder = fileURLToPath(new URL("../interop", import.meta.url));

/** The contract of webrpc's interoperability suite. */
export const suiteContract = readContract(folder, "interop.ridl");

/** What the client and the server of webrpc's suite send, as JSON. */
export const suite = JSON.stringify([
  ...exchanges,
  { method: "GetError", request: "null", status: 400, response: getErrorBody },
  ...schemaErrors.map((row) => ({
    method: "GetSchemaError",
    request: `{"code":${row.code}}`,
    status: row.status,
    response: envelopeOf(row),
  })),
]);
