import { methodsOf } from "../../../ir/methods-of.js";
import { credentialsOf } from "../plan/methods.js";
import type { ServicePlan } from "../plan/plan.js";
import { buildInterface, readonlyMember, type Member } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { docLines } from "../text/docs.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import { linesTypeOf } from "../text/shapes.js";
import type { ServerScope } from "./server-handlers.js";

/** Emits the options of a server or receiver of services. */
export function emitServerOptions(
  scope: ServerScope,
  name: string,
  docs: readonly string[],
  services: readonly ServicePlan[],
): Structure {
  const { imports } = scope;
  const isServer = services.some(
    ({ service }) => service.direction === "inbound",
  );
  const options = isServer
    ? imports.runtimeType("server", "ServerOptions")
    : imports.runtimeType("receiver", "ReceiverOptions");
  const extended = `${options}<${scope.state}>`;
  const members = [
    handlersMember(scope, services),
    ...verifierMembers(scope, services),
    methodsMember(scope, services),
    ...(isServer ? acceptMember(scope) : []),
  ];
  const typeParameters = [scope.typeParameter];
  return buildInterface(docs, name, members, [extended], typeParameters);
}

function handlersMember(
  { state }: ServerScope,
  services: readonly ServicePlan[],
): Member {
  const handlers = services.map(
    ({ names: { handler, property } }) =>
      `readonly ${property}: ${handler}<${state}>`,
  );
  const docs = ["The handler of each service."];
  return readonlyMember(docs, "handlers", linesTypeOf(handlers));
}

/** Emits `methods`, with a key for each method. */
function methodsMember(
  { imports }: ServerScope,
  services: readonly ServicePlan[],
): Member {
  const options = imports.runtimeType("server", "MethodOptions");
  const members = services.flatMap(({ service }) =>
    service.methods.map(({ name }) => {
      const key = quoteString(`${service.name}/${name}`);
      return `readonly ${key}?: ${options}`;
    }),
  );
  const docs = ["Options for individual methods."];
  return readonlyMember(docs, "methods", linesTypeOf(members), true);
}

/** Emits a function for each credential that these methods require. */
function verifierMembers(
  { imports, plan, state }: ServerScope,
  services: readonly ServicePlan[],
): readonly Member[] {
  return credentialsOf(plan, methodsOf(services)).map((credential) => {
    const { docs, error, header, names } = credential;
    const notes = [
      `Verifies the value of the header \`${header}\`. Rejected values cause`,
      `\`${error}\`.`,
    ];
    const text = docLines(docs, [], { notes: quoteComment(notes) });
    const type = imports.runtimeType("server", "Verify");
    return readonlyMember(text, names.verify, `${type}<${state}>`);
  });
}

/** Emits `acceptParameters` if the base path has parameters. */
function acceptMember({ host }: ServerScope): readonly Member[] {
  const names = host.parameters;
  if (names.length === 0) return [];
  const members = names.map(
    (name) => `readonly ${quoteProperty(name)}: string`,
  );
  const list = names.map((name) => `\`{${name}}\``).join(", ");
  const docs = quoteComment([
    `Whether to accept these values of ${list}. Rejected values cause`,
    "`WebrpcBadRoute`. By default, all values are accepted.",
  ]);
  const type = [
    "(parameters: ",
    linesTypeOf(members),
    ") => boolean | Promise<boolean>",
  ];
  return [readonlyMember(docs, "acceptParameters", type, true)];
}
