// A custom emitter for a project. It generates TypeScript with the route and
// the types of each RPC method, for programs that need them without a client.
// It skips webhooks, and REST reads, whose paths have parameters.

/** @type {import("ridlkit").EmitFunction} */
export function emit(contract, _settings, tools) {
  const file = tools.startFile("calls");
  const services = contract.hosts.flatMap((host) => host.services);
  return [
    file.finish(
      services.flatMap((service) => [
        declareCalls(service, file, tools),
        declareRoutes(service, tools),
      ]),
    ),
  ];
}

/** @param {import("ridlkit").Method} method */
function isRpc({ route }) {
  return route.kind === "rpc";
}

/**
 * @param {import("ridlkit").Service} service
 * @param {import("ridlkit").FileDraft} file
 * @param {import("ridlkit").EmitTools} tools
 * @returns {import("ridlkit").Statement}
 */
function declareCalls(service, file, { kinds, names, quoteProperty }) {
  return {
    kind: kinds.interface,
    docs: [`Requests and responses of ${service.name}, by method.`],
    isExported: true,
    name: `${service.name}Calls`,
    properties: service.methods.filter(isRpc).map((method) => ({
      kind: kinds.propertySignature,
      docs: method.docs.lines.slice(0, 1),
      isReadonly: true,
      name: quoteProperty(names.method(method).property),
      type: `(request: ${file.typeOf(method.request)}) => ${file.typeOf(method.response)}`,
    })),
  };
}

/**
 * @param {import("ridlkit").Service} service
 * @param {import("ridlkit").EmitTools} tools
 * @returns {import("ridlkit").Statement}
 */
function declareRoutes(service, { kinds, names, quoteProperty, quoteString }) {
  const entries = service.methods.flatMap((method) => {
    if (method.route.kind !== "rpc") return [];
    const key = quoteProperty(names.method(method).property);
    return `\n  ${key}: ${quoteString(method.route.path)},`;
  });
  return {
    kind: kinds.variable,
    docs: [`Paths of the methods of ${service.name}.`],
    isExported: true,
    declarationKind: "const",
    declarations: [
      {
        name: `${names.service(service).property}Routes`,
        type: `Readonly<Record<keyof ${service.name}Calls, string>>`,
        initializer: `{${entries.join("")}\n}`,
      },
    ],
  };
}
