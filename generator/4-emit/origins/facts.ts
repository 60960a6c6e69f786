import type {
  Contract,
  Docs,
  Field,
  Host,
  Method,
  Origin,
  TypeDeclaration,
} from "../../ir/contract.js";

/** One item of the contract that can say where it comes from. */
export interface Item {
  /** How people refer to it, e.g. `Order.id` or `API.GetSwapPrice(chainId)`. */
  readonly name: string;
  readonly origins: readonly Origin[];
}

/** Every documented item of a contract, hosts and services first. */
export function listItems(contract: Contract): readonly Item[] {
  return [
    ...contract.hosts.flatMap(hostItems),
    ...contract.types.flatMap(typeItems),
    ...contract.errors.map(({ name, docs }) => item(`error ${name}`, docs)),
  ];
}

function hostItems(host: Host): readonly Item[] {
  const services = host.services.flatMap((service) => [
    item(`service ${service.name}`, service.docs),
    ...service.methods.flatMap(methodItems),
  ]);
  return [item(`host ${host.name}`, host.docs), ...services];
}

function methodItems(method: Method): readonly Item[] {
  const name = `${method.service}.${method.name}`;
  const { request, response } = method;
  const inputs = request.struct === null ? request.fields : [];
  const outputs = response.struct === null ? response.fields : [];
  return [
    item(name, method.docs),
    ...inputs.map((field) => item(`${name}(${field.jsonName})`, field.docs)),
    ...outputs.map((field) => item(`${name} => ${field.jsonName}`, field.docs)),
  ];
}

function typeItems(type: TypeDeclaration): readonly Item[] {
  return [item(type.name, type.docs), ...memberItems(type)];
}

function memberItems(type: TypeDeclaration): readonly Item[] {
  switch (type.kind) {
    case "struct":
      return type.fields.map((field: Field) =>
        item(`${type.name}.${field.jsonName}`, field.docs),
      );
    case "enum":
      return type.members.map((member) =>
        item(`${type.name}.${member.name}`, member.docs),
      );
    case "alias":
      return [];
  }
}

function item(name: string, docs: Docs): Item {
  return { name, origins: docs.origins };
}
