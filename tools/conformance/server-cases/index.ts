import { basic } from "./basic.js";
import type { ServerCase } from "./case.js";
import { constraints } from "./constraints.js";
import { contracts } from "./contracts.js";
import { deadlines } from "./deadlines.js";
import { encodings } from "./encodings.js";
import { errorData } from "./error-data.js";
import { errors } from "./errors.js";
import { eventStreams } from "./events.js";
import { extraMembers } from "./extra-members.js";
import { files } from "./files.js";
import { formsAndParts } from "./forms.js";
import { httpRules } from "./http-rules.js";
import { jsonText } from "./json-text.js";
import { keys } from "./keys.js";
import { nulls } from "./nulls.js";
import { numbers } from "./numbers.js";
import { patterns } from "./patterns.js";
import { rest } from "./rest.js";
import { routing } from "./routing.js";
import { sizes } from "./sizes.js";
import { streams } from "./streams.js";
import { unions } from "./unions.js";
import { unknownFields } from "./unknown-fields.js";

export type { ServerCase } from "./case.js";

/** Every request in the suite. */
export const serverCases: readonly ServerCase[] = [
  ...basic,
  ...nulls,
  ...numbers,
  ...encodings,
  ...constraints,
  ...jsonText,
  ...errors,
  ...errorData,
  ...routing,
  ...rest,
  ...formsAndParts,
  ...files,
  ...eventStreams,
  ...contracts,
  ...patterns,
  ...httpRules,
  ...keys,
  ...unknownFields,
  ...unions,
  ...extraMembers,
  ...sizes,
  ...deadlines,
  ...streams,
];
