import { isBasic, neededCredentials } from "../../../ir/credentials-of.js";
import { byPlace, headerOf } from "../../../http/credentials.js";
import type { Method } from "../../../ir/contract.js";
import { allMethods, methodsOf } from "../../../ir/methods-of.js";
import {
  createScope,
  type FileScope,
  type HostScope,
} from "../plan/file-scope.js";
import type {
  CredentialPlan,
  MethodPlan,
  Plan,
  ServicePlan,
} from "../plan/plan.js";
import type { OutputFile } from "../../emitter/emitter.js";
import {
  buildConstant,
  buildInterface,
  buildLocal,
  readonlyMember,
  type Member,
} from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { docLines } from "../text/docs.js";
import { hardLine, indent, typeText, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import { arrayOf, callWithObject, typeLiteralOf } from "../text/shapes.js";

/** The parts of a client's options. */
interface OptionParts {
  readonly docs: readonly [options: string, credentials: string];
  readonly names: { readonly options: string; readonly credentials: string };
  readonly services: readonly ServicePlan[];
  /** Names of address parameters. */
  readonly parameters: readonly string[];
  /** Members before credentials and parameters. */
  readonly members: readonly Member[];
  /** Type that the options extend. */
  readonly base: string;
}

/** Emits the options of a client, and credentials if methods need any. */
export function emitOptions(
  { imports, plan }: FileScope,
  { base, docs, members, names, parameters, services }: OptionParts,
): readonly Structure[] {
  const methods = methodsOf(services.map(({ service }) => service));
  const credentials = neededCredentials(methods, plan);
  const isNeeded = credentials.length > 0;
  const options = buildInterface(
    [docs[0]],
    names.options,
    [
      ...members,
      ...(isNeeded
        ? [readonlyMember([], "credentials", names.credentials, true)]
        : []),
      ...parametersMember(parameters),
    ],
    [base],
  );
  if (!isNeeded) return [options];
  const value = imports.runtimeType("client", "CredentialValue");
  const properties = credentials.map((credential) =>
    readonlyMember(docsOf(credential), credential.names.property, value, true),
  );
  return [buildInterface([docs[1]], names.credentials, properties), options];
}

/**
 * Emits a constant for each credential of the only host. With several hosts,
 * the constants are in `credentials.ts` instead, so that a bundle contains each
 * of them only once.
 */
export function emitCredentialConstants(
  scope: HostScope,
): readonly Structure[] {
  const { host, plan } = scope;
  if (sharesCredentials(plan)) return [];
  return host.credentials.map((credential) =>
    buildLocal(credential.names.constant, [
      valueOf(credential),
      typeText(" as const"),
    ]),
  );
}

/** Emits `credentials.ts` at the root if there are several hosts. */
export function emitCredentialsFile(plan: Plan): readonly OutputFile[] {
  if (!sharesCredentials(plan)) return [];
  const { imports } = createScope(plan, plan.root, "credentials");
  const methods = allMethods(plan.contract.hosts);
  const statements = neededCredentials(methods, plan).map((credential) =>
    buildConstant(
      docsOf(credential),
      credential.names.constant,
      imports.runtimeType("codegen/create-client", "MethodCredential"),
      valueOf(credential),
    ),
  );
  return printFile(imports, statements);
}

/** Returns the local names of the constants of a method's credentials. */
export function credentialConstants(
  { imports, plan }: HostScope,
  { credentials }: MethodPlan,
): readonly string[] {
  return credentials.map(({ names: { constant } }) =>
    sharesCredentials(plan)
      ? imports.generated(plan.root, "credentials", constant)
      : constant,
  );
}

/** Whether clients send a credential of a method in the query. */
export function hasQueryKey({ credentials }: MethodPlan): boolean {
  return credentials.some((each) => headerOf(each) === null);
}

function sharesCredentials({ hosts }: Plan): boolean {
  return hosts.length > 1;
}

/**
 * Prints the client's option, the header in lower case or the key of the query
 * parameter, and the text before the value.
 */
function valueOf(credential: CredentialPlan): Doc {
  const { key, names } = credential;
  const header = headerOf(credential);
  const parts = [
    names.property,
    header?.name.toLowerCase() ?? key,
    ...(header?.prefix ? [header.prefix] : []),
  ];
  return arrayOf(parts.map(quoteString));
}

function docsOf(credential: CredentialPlan): readonly string[] {
  const notes = isBasic(credential)
    ? ["The runtime's `basicCredential` creates the value."]
    : [];
  return docLines(credential.docs, [placeNote(credential)], { notes });
}

/** Emits `parameters` if the address has placeholders. */
function parametersMember(names: readonly string[]): readonly Member[] {
  if (names.length === 0) return [];
  const placeholders = names.map((name) => `\`{${name}}\``).join(", ");
  const docs = quoteComment([`Values for ${placeholders} in the address.`]);
  return [readonlyMember(docs, "parameters", parametersType(names))];
}

/** Prints a type with the named parameters and an index signature. */
function parametersType(names: readonly string[]): Doc {
  return typeLiteralOf([
    ...names.map((name) => `readonly ${quoteProperty(name)}: string`),
    "readonly [name: string]: string",
  ]);
}

/** Returns a sentence such as "Header `Authorization: Bearer …`." */
function placeNote(credential: CredentialPlan): string {
  const { parameter, scheme } = credential;
  const text = scheme === null ? parameter : `${parameter}: ${scheme} …`;
  const code = `\`${quoteComment([text]).join("")}\``;
  return byPlace(credential, {
    header: `Header ${code}.`,
    query: `Query parameter ${code}.`,
    cookie: `Cookie ${code}. Browsers send it on their own.`,
  });
}

/** The interceptor that sends the contract of a client. */
export interface ContractSender {
  /** Returns its name if calls of a method send the contract. */
  nameFor(method: Method): readonly string[];
  readonly statements: readonly Structure[];
}

/**
 * Prints the interceptor that sends the contract. It is not a function of the
 * runtime, because the code would be longer.
 */
export function emitContractSender({
  host,
  imports,
  locals,
  plan,
}: HostScope): ContractSender {
  const skew = plan.options.skew?.get(host.host.name);
  if (skew === undefined || skew.announced.size === 0) {
    return { nameFor: () => [], statements: [] };
  }
  const contract = locals.claim("contract");
  const name = locals.claim("sendContract");
  const copy = callWithObject(
    "next",
    [],
    ["...call", `headers: [{ webrpc: ${contract} }, ...call.headers]`],
  );
  const sent: Doc = ["(next) => (call) =>", indent([hardLine, copy])];
  const type = imports.runtimeType("client", "ClientInterceptor");
  return {
    nameFor: (method) =>
      skew.announced.has(`${method.service}.${method.name}`) ? [name] : [],
    statements: [
      buildLocal(contract, quoteString(skew.header)),
      buildLocal(name, sent, type),
    ],
  };
}
