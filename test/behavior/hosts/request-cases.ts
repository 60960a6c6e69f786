import { serverCases } from "../conformance/cases/index.js";

/** The request cases for the generated code that hosts run. */
export const requestCases = serverCases.filter(
  ({ int64 = "number", timestamp = "string" }) =>
    int64 === "number" && timestamp === "string",
);
