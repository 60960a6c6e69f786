import type { Emitter } from "./emitter.js";
import { originsEmitter } from "./origins/origins.js";
import { clientEmitter } from "./typescript/client.js";
import { codecsEmitter } from "./typescript/codecs.js";
import { compatEmitter } from "./typescript/compat.js";
import { errorsEmitter } from "./typescript/errors.js";
import { indexEmitter } from "./typescript/index-file.js";
import { serverEmitter } from "./typescript/server.js";
import { typesEmitter } from "./typescript/types.js";
import { validatorsEmitter } from "./typescript/validators.js";

/** The one list of targets; `emit` in the configuration chooses from it. */
export const emitters: readonly Emitter[] = [
  typesEmitter,
  errorsEmitter,
  validatorsEmitter,
  codecsEmitter,
  clientEmitter,
  serverEmitter,
  indexEmitter,
  compatEmitter,
  originsEmitter,
];
