import {
  buildFunction,
  buildInterface,
  readonlyMember,
} from "../text/build.js";
import type { HostScope } from "../plan/file-scope.js";
import { docLines } from "../text/docs.js";
import { quoteComment } from "../text/quote.js";
import { entryOf, linesObjectOf } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";

/** The client of all services of a host; nothing when it answers none. */
export function emitHostClient({
  host: { host, inbound, names },
}: HostScope): readonly Structure[] {
  if (inbound.length === 0) return [];
  const title = quoteComment([host.name]).join("");
  const about = docLines(host.docs);
  const members = inbound.map(({ names: { client, property }, service }) =>
    readonlyMember(docLines(service.docs), property, client),
  );
  const entries = inbound.map(({ names: { createClient, property } }) =>
    entryOf(property, `${createClient}(options)`),
  );
  return [
    buildInterface(
      [
        `All services of host \`${title}\`.`,
        ...(about.length === 0 ? [] : ["", ...about]),
      ],
      names.client,
      members,
    ),
    buildFunction(
      [`Creates clients of all services of host \`${title}\`.`],
      names.createClient,
      [{ name: "options", type: names.options }],
      names.client,
      [["return ", linesObjectOf(entries), ";"]],
    ),
  ];
}
