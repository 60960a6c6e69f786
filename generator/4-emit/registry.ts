import { docsEmitter } from "./docs/docs.js";
import type { Emitter } from "./emitter.js";
import { clientEmitter } from "./typescript/client/client.js";
import { codecsEmitter } from "./typescript/codecs/codecs.js";
import { compatEmitter } from "./typescript/compat/compat.js";
import { errorsEmitter } from "./typescript/types/errors.js";
import { indexEmitter } from "./typescript/client/index-file.js";
import { serverEmitter } from "./typescript/server/server.js";
import { typesEmitter } from "./typescript/types/types.js";
import { validatorsEmitter } from "./typescript/validators/validators.js";

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
  docsEmitter,
];
