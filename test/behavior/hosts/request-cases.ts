import { serverCases } from "../../../tools/conformance/server-cases/index.js";
import { rawCases } from "../conformance/raw-cases.js";

/** The request cases for the generated code that hosts run. */
export const requestCases = serverCases.filter(
  ({ int64 = "number", timestamp = "string" }) =>
    int64 === "number" && timestamp === "string",
);

/** The requests that web-standard clients cannot send. */
export const rawRequestCases = rawCases.map((given) => ({
  ...given,
  name: `raw: ${given.name}`,
}));
