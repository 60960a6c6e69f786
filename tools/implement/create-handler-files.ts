import { kebabCase } from "../../generator/4-emit/names/casing.js";
import { pathOf } from "../../generator/4-emit/typescript/plan/layout.js";
import { defaultStyle } from "./file-style.js";
import type { HandledService, OutputPlace } from "./handler-methods.js";
import { relativeSpecifier } from "./import-names.js";
import { printStub, type StubForm } from "./print-stub.js";

/** A file with a handler whose methods are not implemented yet. */
export interface HandlerFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

/** The form of imports from generated code. */
export interface ImportForm extends OutputPlace {
  /** Extension of relative imports, e.g. `.js`. */
  readonly importExtension: string;
}

const form: StubForm = {
  owner: "object",
  isArrow: false,
  modifiers: "",
  types: "given",
};

/**
 * Creates a handler for each service: in its own file in the folder `out`, or,
 * for a single service, in the file `out`.
 */
export function createHandlerFiles(
  services: readonly HandledService[],
  out: string,
  output: ImportForm,
): readonly HandlerFile[] {
  if (isFile(out)) {
    return services.map((service) => createFile(service, out, output));
  }
  const ending = output.ending === ".d.ts" ? ".js" : ".ts";
  return services.map((handled) => {
    const { host, service } = handled;
    const name = kebabCase(service.names.property);
    const isShared = services.some(
      (other) =>
        other !== handled && kebabCase(other.service.names.property) === name,
    );
    const start = isShared ? `${kebabCase(host.host.name)}-` : "";
    return createFile(handled, `${out}/${start}${name}${ending}`, output);
  });
}

/** Whether a path names a file with code rather than a folder. */
export function isFile(path: string): boolean {
  return /\.[cm]?[jt]s$/u.test(path);
}

function createFile(
  { host, methods, service }: HandledService,
  path: string,
  { folder, importExtension }: ImportForm,
): HandlerFile {
  const from = (file: string): string =>
    relativeSpecifier(path, `${folder}/${file}${importExtension}`);
  const server = from(pathOf(host.unit, "server"));
  const { handler, property } = service.names;
  const names = { error: "WebrpcEndpointError", request: "", response: "" };
  const stubs = methods.flatMap((method) => {
    const [head = "", ...lines] = printStub(
      method,
      form,
      names,
      defaultStyle,
      "  ",
    );
    return ["", `  ${head}`, ...lines.slice(0, -1), `${lines.at(-1)},`];
  });
  const title = `Implements the service \`${service.service.name}\`.`;
  const isTyped = path.endsWith("ts");
  const lines = [
    `import { WebrpcEndpointError } from "${from("errors")}";`,
    ...(isTyped ? [`import type { ${handler} } from "${server}";`] : []),
    "",
    ...(isTyped
      ? [`/** ${title} */`]
      : [
          "/**",
          ` * ${title}`,
          ` * @type {import("${server}").${handler}}`,
          " */",
        ]),
    `export const ${property}Handler${isTyped ? `: ${handler}` : ""} = {`,
    ...stubs.slice(1),
    "};",
    "",
  ];
  return { path, text: lines.join("\n") };
}
