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

/** Targets, by name, whose code is loaded only when they are selected. */
export const deferredEmitters = {
  docs: async () => (await import("./docs/docs.js")).docsEmitter,
  "json-schema": async () =>
    (await import("./json-schema/json-schema.js")).jsonSchemaEmitter,
  markdown: async () =>
    (await import("./markdown/markdown.js")).markdownEmitter,
  mcp: async () => (await import("./typescript/mcp/mcp.js")).mcpEmitter,
  mock: async () => (await import("./typescript/mock/mock.js")).mockEmitter,
  openapi: async () => (await import("./openapi/openapi.js")).openapiEmitter,
  "schemas-with-json": async () =>
    (await import("./typescript/schemas-with-json/schemas-with-json.js"))
      .schemasWithJsonEmitter,
} as const satisfies Readonly<Record<string, () => Promise<Emitter>>>;

/** The names of all targets. */
export const targetNames: readonly string[] = [
  ...emitters.map(({ name }) => name),
  ...Object.keys(deferredEmitters),
];
