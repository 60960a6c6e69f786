import {
  buildFunction,
  buildInterface,
  readonlyMember,
} from "../text/build.js";
import { inboundServices, type HostScope } from "../calls/call-scope.js";
import { docLines } from "../text/docs.js";
import { quoteComment } from "../text/quote.js";
import { entryOf, linesObjectOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/** The client of all services of a host; nothing when it answers none. */
export function emitHostClient({
  host,
  imports,
  layout,
}: HostScope): readonly Declared[] {
  const services = inboundServices(host);
  if (services.length === 0) return [];
  const names = layout.names.host(host);
  const title = quoteComment([host.name]).join("");
  const about = docLines(host.docs);
  const members = services.map((service) => {
    const { client, property } = layout.names.service(service);
    return readonlyMember(docLines(service.docs), property, client);
  });
  const entries = services.map((service) => {
    const { createClient, property } = layout.names.service(service);
    return entryOf(property, `${createClient}(options)`);
  });
  return [
    buildInterface(
      imports,
      [
        `All services of host \`${title}\`.`,
        ...(about.length === 0 ? [] : ["", ...about]),
      ],
      names.client,
      members,
    ),
    buildFunction(
      imports,
      [`Creates clients of all services of host \`${title}\`.`],
      names.createClient,
      [{ name: "options", type: names.options }],
      names.client,
      [["return ", linesObjectOf(entries), ";"]],
    ),
  ];
}
