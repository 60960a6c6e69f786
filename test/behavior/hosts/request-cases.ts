import { serverCases } from "../../../tools/conformance/server-cases/index.js";
import { rawCases } from "../conformance/raw-cases.js";

/**
 * What hosts show in other ways: files by the life cycle. Their server does not
 * name its contract.
 */
const shownElsewhere = /^(?:contracts|files): /u;

/** The request cases for the generated code that hosts run. */
export const requestCases = serverCases.filter(
  ({ int64 = "number", name, timestamp = "string" }) =>
    int64 === "number" && timestamp === "string" && !shownElsewhere.test(name),
);

/** The requests that web-standard clients cannot send. */
export const rawRequestCases = rawCases.map((given) => ({
  ...given,
  name: `raw: ${given.name}`,
}));
