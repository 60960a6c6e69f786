import type { ts } from "ts-morph";
import { pathOf } from "../../generator/4-emit/typescript/plan/layout.js";
import type {
  HostPlan,
  MethodPlan,
  Plan,
  ServicePlan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import type { Compiler } from "./compiler.js";

/** A service that a project can implement. */
export interface HandledService {
  readonly host: HostPlan;
  readonly service: ServicePlan;
  /** Methods in the order of the contract. */
  readonly methods: readonly HandledMethod[];
}

/** A method of a handler. */
export interface HandledMethod {
  readonly host: HostPlan;
  readonly service: ServicePlan;
  readonly method: MethodPlan;
  /** Displayed name, e.g. `Shop/GetPrice`. */
  readonly title: string;
  /** Property in the handler, e.g. `getPrice`. */
  readonly property: string;
}

/** Lists all services of a contract, including services of webhooks. */
export function listServices({ hosts }: Plan): readonly HandledService[] {
  return hosts.flatMap((host) =>
    host.handled.map((service) => ({
      host,
      service,
      methods: service.methods.map((method) => ({
        host,
        service,
        method,
        title: `${service.service.name}/${method.method.name}`,
        property: method.names.property,
      })),
    })),
  );
}

/** The folder with generated code and the extension of its files. */
export interface OutputPlace {
  /** Absolute path of the output folder. */
  readonly folder: string;
  /** Extension of the files that declare types. */
  readonly ending: ".ts" | ".d.ts";
}

/** Returns the absolute path of the file that declares a host's handlers. */
export function serverPath(
  { unit }: HostPlan,
  { folder, ending }: OutputPlace,
): string {
  return `${folder}/${pathOf(unit, "server")}${ending}`;
}

/** Finds the declarations of all methods in generated handler interfaces. */
export function findDeclarations(
  services: readonly HandledService[],
  program: ts.Program,
  output: OutputPlace,
  compiler: Compiler,
): ReadonlyMap<ts.Node, HandledMethod> {
  return new Map(
    services.flatMap(({ host, methods, service }) => {
      const source = program.getSourceFile(serverPath(host, output));
      const declaration = source?.statements
        .filter(compiler.isInterfaceDeclaration)
        .find(({ name }) => name.text === service.names.handler);
      const members = declaration?.members ?? [];
      // The interface has one member for each method, in the same order.
      return methods.flatMap((method, index) => {
        const member = members[index];
        return member === undefined ? [] : [[member, method] as const];
      });
    }),
  );
}
