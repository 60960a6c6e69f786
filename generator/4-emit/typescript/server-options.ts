import type { Service } from "../../ir/contract.js";
import { buildInterface, type Member, type Statement } from "./build.js";
import {
  basePathParameters,
  credentialsOf,
  type HostScope,
} from "./call-scope.js";
import { typeLiteralOf } from "./client-credentials.js";
import { docLines } from "./docs.js";
import { hardLine, indent } from "./format.js";
import { quoteComment, quoteProperty } from "./quote.js";
import { argumentsOf } from "./shapes.js";

/** Options of a server (or a receiver) of the given services. */
export function emitServerOptions(
  scope: HostScope,
  name: string,
  docs: readonly string[],
  services: readonly Service[],
): Statement {
  const options = scope.imports.runtimeType("server", "ServerOptions");
  const isServer = services.some(({ direction }) => direction === "inbound");
  const members = [
    handlersMember(scope, services),
    ...verifierMembers(scope, services),
    ...(isServer ? acceptMember(scope) : []),
  ];
  return buildInterface(docs, `${name}<State = undefined>`, members, [
    `${options}<State>`,
  ]);
}

function handlersMember(
  { layout }: HostScope,
  services: readonly Service[],
): Member {
  const handlers = services.map((service) => {
    const { handler, property } = layout.names.service(service);
    return [hardLine, `readonly ${property}: ${handler}<State>;`];
  });
  return {
    docs: ["What each service does."],
    code: ["readonly handlers: {", indent(handlers), hardLine, "}"],
  };
}

/** A function for each credential that methods of these services need. */
function verifierMembers(
  { imports, layout }: HostScope,
  services: readonly Service[],
): readonly Member[] {
  const methods = services.flatMap((service) => service.methods);
  return credentialsOf(layout.contract, methods).map((credential) => {
    const { verify } = layout.names.credential(credential);
    const { docs, error, header } = credential;
    const notes = [
      `Judges the value of the header \`${header}\`; what it refuses is answered`,
      `with \`${error}\`.`,
    ];
    return {
      docs: docLines(docs, [], { notes: quoteComment(notes) }),
      code: `readonly ${verify}: ${imports.runtimeType("server", "Verify")}<State>`,
    };
  });
}

/** `acceptParameters`, when the base path has parameters. */
function acceptMember({ host }: HostScope): readonly Member[] {
  const names = basePathParameters(host);
  if (names.length === 0) return [];
  const members = names.map(
    (name) => `readonly ${quoteProperty(name)}: string`,
  );
  const list = names.map((name) => `\`{${name}}\``).join(", ");
  return [
    {
      docs: quoteComment([
        `Whether the host answers for these values of ${list}; if not, it is`,
        "`WebrpcBadRoute`. All are accepted unless given.",
      ]),
      code: [
        "readonly acceptParameters?: ",
        argumentsOf([["parameters: ", typeLiteralOf(members)]]),
        " => boolean | Promise<boolean>",
      ],
    },
  ];
}
