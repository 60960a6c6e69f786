import type { ts } from "ts-morph";
import type { CodeChange } from "../change/old-client.js";
import type { Base } from "../change/operations.js";
import { Unclear } from "../change/unclear.js";

/**
 * Checks that dates of the new client have the same type.
 *
 * Errors: {@link Unclear} if they have another one.
 */
export function checkTransformer(
  transformer: ts.Node | null,
  place: ts.Node,
  { host }: Base,
  { migration }: CodeChange,
): void {
  const { options } = migration.plan;
  const wanted = transformer === null ? "string" : "date";
  if (options.timestamp === wanted) return;
  const messages = host.inbound.flatMap(({ methods }) =>
    methods.flatMap(({ request, response }) => [request, response]),
  );
  const reached = migration.plan.contract.types.filter(({ name }) =>
    host.reached.has(name),
  );
  const hasTimes = JSON.stringify([
    messages.map(({ message }) => message),
    reached,
  ]).includes('"name":"timestamp"');
  if (!hasTimes) return;
  throw new Unclear(
    transformer ?? place,
    transformer === null
      ? "dates are text without a transformer, and `Date` in the generated client"
      : "dates are `Date` with a transformer, and text in the generated client",
    `set \`timestamp: ${wanted}\` in ridl.config.yaml, and run \`ridl generate\``,
  );
}
