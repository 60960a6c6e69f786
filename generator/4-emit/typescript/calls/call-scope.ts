import type {
  Contract,
  Credential,
  Host,
  Method,
  Service,
} from "../../../ir/contract.js";
import { createIndex, type ContractIndex } from "../../../ir/resolve.js";
import type { EmitOptions } from "../../emitter.js";
import { createConversions, type Conversions } from "../codecs/conversions.js";
import { Imports } from "../text/imports.js";
import {
  createLayout,
  type FileName,
  type Layout,
  type Unit,
} from "../names/layout.js";
import { unitOfMessage, type Side } from "../validators/message-functions.js";
import type { NamePool } from "../names/name-pool.js";

/** What is known while a file of clients or servers is built. */
export interface CallScope {
  readonly layout: Layout;
  readonly unit: Unit;
  readonly imports: Imports;
  /** Names of this file that are not exported. */
  readonly locals: NamePool;
}

/** The scope of a file that is made for a host. */
export interface HostScope extends CallScope {
  readonly host: Host;
  readonly index: ContractIndex;
  readonly conversions: Conversions;
}

/** One scope for each host of a contract. */
export function hostScopes(
  contract: Contract,
  options: EmitOptions,
  file: FileName,
): readonly HostScope[] {
  const layout = createLayout(contract, options);
  const index = createIndex(contract);
  return contract.hosts.map((host) => ({
    ...createScope(layout, layout.unitOfHost(host), file),
    host,
    index,
    conversions: createConversions(contract, options, host),
  }));
}

/** The scope of one file. */
export function createScope(
  layout: Layout,
  unit: Unit,
  file: FileName,
): CallScope {
  return {
    layout,
    unit,
    imports: new Imports(layout, unit, file),
    locals: layout.names.fileScope(unit.host),
  };
}

/** Services that the host answers; those that it calls are outbound. */
export function inboundServices(host: Host): readonly Service[] {
  return host.services.filter(({ direction }) => direction === "inbound");
}

/** Services whose methods the host calls. */
export function outboundServices(host: Host): readonly Service[] {
  return host.services.filter(({ direction }) => direction === "outbound");
}

/** Credentials of some methods, each once, in the order of the contract. */
export function credentialsOf(
  contract: Contract,
  methods: readonly Method[],
): readonly Credential[] {
  const headers = new Set(methods.flatMap((method) => method.credentials));
  return contract.credentials.filter(({ header }) => headers.has(header));
}

/** The credentials of one method, in the order in which they are checked. */
export function checkedCredentials(
  contract: Contract,
  method: Method,
): readonly Credential[] {
  return method.credentials.flatMap((header) =>
    contract.credentials.filter((credential) => credential.header === header),
  );
}

/** Imports the type of a request or response, and says its local name. */
export function messageType(
  { host, imports, layout }: HostScope,
  method: Method,
  side: Side,
): string {
  const unit = unitOfMessage(layout, host, method[side]);
  return imports.generatedType(
    unit,
    "types",
    layout.names.method(method)[side],
  );
}

/** Names of the parameters of a host's base path. */
export function basePathParameters(host: Host): readonly string[] {
  const names = host.basePath.segments.flatMap((segment) =>
    segment.kind === "parameter" ? [segment.name] : [],
  );
  return [...new Set(names)];
}
