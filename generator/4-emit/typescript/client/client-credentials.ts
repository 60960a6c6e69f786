import type { Credential } from "../../../ir/contract.js";
import {
  buildInterface,
  buildText,
  type Member,
  type Statement,
} from "../text/build.js";
import {
  basePathParameters,
  credentialsOf,
  inboundServices,
  memberOf,
  type CallScope,
  type HostScope,
} from "../calls/call-scope.js";
import { docLines } from "../text/docs.js";
import {
  group,
  ifBreak,
  indent,
  join,
  line,
  type Doc,
} from "../text/format.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import { arrayOf } from "../text/shapes.js";

/** What a host's clients are given: credentials and options. */
export function emitHostOptions(scope: HostScope): readonly Statement[] {
  const { host, imports, layout } = scope;
  const names = layout.names.host(host);
  const methods = inboundServices(host).flatMap((service) => service.methods);
  const credentials = credentialsOf(layout.contract, methods);
  const title = quoteComment([host.name]).join("");
  const members = [
    ...credentialsMember(credentials, names.credentials),
    ...parametersMember(basePathParameters(host)),
  ];
  const options = buildInterface(
    [`Options of the clients of host \`${title}\`.`],
    names.options,
    members,
    [imports.runtimeType("client", "ClientOptions")],
  );
  if (credentials.length === 0) return [options];
  const docs = [`Credentials that methods of host \`${title}\` need.`];
  return [
    emitCredentials(scope, docs, names.credentials, credentials),
    options,
  ];
}

/** The interface with a property for each credential. */
export function emitCredentials(
  scope: CallScope,
  docs: readonly string[],
  name: string,
  credentials: readonly Credential[],
): Statement {
  const { imports, layout } = scope;
  const value = imports.runtimeType("client", "CredentialValue");
  const members = credentials.map((credential) => ({
    docs: docLines(credential.docs, [`Header ${headerOf(credential)}.`]),
    code: `readonly ${layout.names.credential(credential).property}?: ${value}`,
  }));
  return buildInterface(docs, name, members);
}

/** A constant for each credential, which method constants refer to. */
export function emitCredentialConstants(
  scope: HostScope,
): readonly Statement[] {
  const { contract, names } = scope.layout;
  const methods = scope.host.services.flatMap((service) => service.methods);
  return credentialsOf(contract, methods).map((credential) => {
    const { constant, property } = names.credential(credential);
    const { header, scheme } = credential;
    const parts = [
      property,
      header.toLowerCase(),
      ...(scheme === null ? [] : [`${scheme} `]),
    ].map(quoteString);
    return buildText(
      [],
      [`const ${constant} = `, arrayOf(parts), " as const;"],
    );
  });
}

/** `credentials?`, when there is any. */
export function credentialsMember(
  credentials: readonly Credential[],
  type: string,
): readonly Member[] {
  if (credentials.length === 0) return [];
  return [{ docs: [], code: `readonly credentials?: ${type}` }];
}

/** `parameters`, when an address has placeholders that must be filled. */
export function parametersMember(names: readonly string[]): readonly Member[] {
  if (names.length === 0) return [];
  const placeholders = names.map((name) => `\`{${name}}\``).join(", ");
  const docs = quoteComment([`Values for ${placeholders} of the address.`]);
  return [memberOf(docs, ["readonly parameters: ", parametersType(names)])];
}

/** Named parameters, and others that a base address may have. */
function parametersType(names: readonly string[]): Doc {
  const members = [
    ...names.map((name) => `readonly ${quoteProperty(name)}: string`),
    "readonly [name: string]: string",
  ];
  return typeLiteralOf(members);
}

/** A type literal, on one line when it fits. */
function typeLiteralOf(members: readonly Doc[]): Doc {
  return group([
    "{",
    indent([line, join([";", line], members)]),
    ifBreak(";"),
    line,
    "}",
  ]);
}

/** `X-Access-Key`, or `Authorization: Bearer …`, in backticks and inert. */
function headerOf({ header, scheme }: Credential): string {
  const text = scheme === null ? header : `${header}: ${scheme} …`;
  return `\`${quoteComment([text]).join("")}\``;
}
