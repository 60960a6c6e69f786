import type { Contract, Credential, Method } from "../../../ir/contract.js";
import type { EmitOptions, OutputFile } from "../../emitter.js";
import { createLayout, type Layout } from "../names/layout.js";
import { printFile } from "../text/print.js";
import {
  buildConstant,
  buildInterface,
  buildLocal,
  readonlyMember,
  type Member,
} from "../text/build.js";
import {
  basePathParameters,
  checkedCredentials,
  createScope,
  credentialsOf,
  inboundServices,
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
  typeText,
  type Doc,
} from "../text/format.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import { arrayOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/** What a host's clients are given: credentials and options. */
export function emitHostOptions(scope: HostScope): readonly Declared[] {
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
    imports,
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
): Declared {
  const { imports, layout } = scope;
  const value = imports.runtimeType("client", "CredentialValue");
  const members = credentials.map((credential) => {
    const text = docLines(credential.docs, [`Header ${headerOf(credential)}.`]);
    const { property } = layout.names.credential(credential);
    return readonlyMember(text, property, value, true);
  });
  return buildInterface(imports, docs, name, members);
}

/**
 * A constant for each credential, which method constants refer to. Those of
 * several hosts stand in a file of their own, so that a bundle has each once.
 */
export function emitCredentialConstants(scope: HostScope): readonly Declared[] {
  if (sharesCredentials(scope.layout)) return [];
  const methods = scope.host.services.flatMap((service) => service.methods);
  return constantsOf(scope, methods).map(({ constant, value }) =>
    buildLocal(scope.imports, constant, [value, typeText(" as const")]),
  );
}

/** `credentials.ts` at the root, where there are several hosts. */
export function emitCredentialsFile(
  contract: Contract,
  options: EmitOptions,
): readonly OutputFile[] {
  const layout = createLayout(contract, options);
  if (!sharesCredentials(layout)) return [];
  const scope = createScope(layout, layout.root, "credentials");
  const methods = contract.hosts.flatMap(({ services }) =>
    services.flatMap((service) => service.methods),
  );
  const { imports } = scope;
  const statements = constantsOf(scope, methods).map(
    ({ constant, docs, value }) =>
      buildConstant(
        imports,
        docs,
        constant,
        imports.runtimeType("client", "MethodCredential"),
        value,
      ),
  );
  return printFile(imports, statements);
}

/** Local names of the constants of a method's credentials. */
export function credentialConstants(
  { imports, layout }: HostScope,
  method: Method,
): readonly string[] {
  return checkedCredentials(layout.contract, method).map((credential) => {
    const { constant } = layout.names.credential(credential);
    return sharesCredentials(layout)
      ? imports.generated(layout.root, "credentials", constant)
      : constant;
  });
}

function sharesCredentials({ contract }: Layout): boolean {
  return contract.hosts.length > 1;
}

interface CredentialConstant {
  readonly constant: string;
  readonly docs: readonly string[];
  readonly value: Doc;
}

function constantsOf(
  { layout }: CallScope,
  methods: readonly Method[],
): readonly CredentialConstant[] {
  const { contract, names } = layout;
  return credentialsOf(contract, methods).map((credential) => {
    const { constant, property } = names.credential(credential);
    const { header, scheme } = credential;
    const parts = [
      property,
      header.toLowerCase(),
      ...(scheme === null ? [] : [`${scheme} `]),
    ];
    const docs = docLines(credential.docs, [`Header ${headerOf(credential)}.`]);
    return { constant, docs, value: arrayOf(parts.map(quoteString)) };
  });
}

/** `credentials?`, when there is any. */
export function credentialsMember(
  credentials: readonly Credential[],
  type: string,
): readonly Member[] {
  if (credentials.length === 0) return [];
  return [readonlyMember([], "credentials", type, true)];
}

/** `parameters`, when an address has placeholders that must be filled. */
export function parametersMember(names: readonly string[]): readonly Member[] {
  if (names.length === 0) return [];
  const placeholders = names.map((name) => `\`{${name}}\``).join(", ");
  const docs = quoteComment([`Values for ${placeholders} of the address.`]);
  return [readonlyMember(docs, "parameters", parametersType(names))];
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
