// A custom emitter for a project. It generates a Markdown table of all routes.

/** @type {import("ridlkit").EmitFunction<{ readonly title?: string }>} */
export function emit(contract, _settings, { options }) {
  const { title = "Routes" } = options;
  const sections = contract.hosts.flatMap((host) =>
    host.services.map((service) => writeService(host, service)),
  );
  return [{ path: "routes.md", text: `# ${title}\n\n${sections.join("\n")}` }];
}

/**
 * @param {import("ridlkit").Host} host
 * @param {import("ridlkit").Service} service
 */
function writeService(host, service) {
  const rows = service.methods.map((method) => {
    const name =
      method.deprecated === null ? method.name : `~~${method.name}~~`;
    const cells = [
      name,
      `\`${routeOf(method)}\``,
      fieldsOf(method.request),
      fieldsOf(method.response),
      method.errors?.join(", ") ?? "any",
    ];
    return `| ${cells.join(" | ")} |\n`;
  });
  return [
    `## ${host.name}: ${service.name}\n\n`,
    ...service.docs.lines.map((line) => `${line}\n`),
    "\n| method | route | request | response | errors |\n",
    "|---|---|---|---|---|\n",
    ...rows,
  ].join("");
}

/** @param {import("ridlkit").Method} method */
function routeOf({ route }) {
  switch (route.kind) {
    case "rpc":
      return `POST ${route.path}`;
    case "rest":
      return `GET ${route.path.text}`;
    case "webhook":
      return "POST to the receiver";
  }
}

/** @param {import("ridlkit").Message} message */
function fieldsOf(message) {
  const fields = message.fields.map(
    ({ jsonName, isOptional, type }) =>
      `\`${jsonName}${isOptional ? "?" : ""}: ${typeOf(type)}\``,
  );
  return fields.join(", ") || "nothing";
}

/**
 * @param {import("ridlkit").TypeReference} type
 * @returns {string}
 */
function typeOf(type) {
  switch (type.kind) {
    case "scalar":
    case "reference":
      return type.name;
    case "list":
      return `[]${typeOf(type.element)}`;
    case "map":
      return `map<${typeOf(type.key)},${typeOf(type.value)}>`;
  }
}
