import type { Emitter } from "./emitter/emitter.js";
import { clientEmitter } from "./typescript/client/client.js";
import { codecsEmitter } from "./typescript/codecs/codecs.js";
import { compatEmitter } from "./typescript/compat/compat.js";
import { errorsEmitter } from "./typescript/errors/errors.js";
import { indexEmitter } from "./typescript/index/index-file.js";
import { printersEmitter } from "./typescript/printers/printers.js";
import { queryEmitter } from "./typescript/query/query.js";
import { schemasEmitter } from "./typescript/schemas/schemas.js";
import { serverEmitter } from "./typescript/server/server.js";
import { typesEmitter } from "./typescript/types/types.js";
import {
  createUnitEmitter,
  type UnitEmitter,
} from "./typescript/plan/unit-emitter.js";
import { validatorsEmitter } from "./typescript/validators/validators.js";

/** The server target, which includes `printers.ts` for its responses. */
const server = createUnitEmitter({
  ...serverEmitter,
  emitUnit: (plan, unit) => [
    ...serverEmitter.emitUnit(plan, unit),
    ...printersEmitter.emitUnit(plan, unit),
  ],
});

/** Targets that print each unit of the TypeScript output separately. */
export const unitEmitters: readonly UnitEmitter[] = [
  typesEmitter,
  errorsEmitter,
  validatorsEmitter,
  codecsEmitter,
  clientEmitter,
  server,
  indexEmitter,
  queryEmitter,
  schemasEmitter,
  compatEmitter,
];

/**
 * The targets that are always loaded. `emit` in the configuration selects from
 * them.
 */
export const emitters: readonly Emitter[] = unitEmitters;

/** Targets, by name, whose code is only loaded when they are selected. */
export const deferredEmitters = {
  docs: async (): Promise<Emitter> => {
    const { docsEmitter } = await import("./docs/docs.js");
    return docsEmitter;
  },
  "json-schema": async (): Promise<Emitter> => {
    const { jsonSchemaEmitter } = await import("./json-schema/json-schema.js");
    return jsonSchemaEmitter;
  },
  markdown: async (): Promise<Emitter> => {
    const { markdownEmitter } = await import("./markdown/markdown.js");
    return markdownEmitter;
  },
  mcp: async (): Promise<Emitter> => {
    const { mcpEmitter } = await import("./typescript/mcp/mcp.js");
    return mcpEmitter;
  },
  mock: async (): Promise<Emitter> => {
    const { mockEmitter } = await import("./typescript/mock/mock.js");
    return mockEmitter;
  },
  openapi: async (): Promise<Emitter> => {
    const { openapiEmitter } = await import("./openapi/openapi.js");
    return openapiEmitter;
  },
  "schemas-with-json": async (): Promise<Emitter> => {
    const { schemasWithJsonEmitter } =
      await import("./typescript/schemas-with-json/schemas-with-json.js");
    return schemasWithJsonEmitter;
  },
} as const;

/** The names of all targets. */
export const targetNames: readonly string[] = [
  ...emitters.map(({ name }) => name),
  ...Object.keys(deferredEmitters),
];
