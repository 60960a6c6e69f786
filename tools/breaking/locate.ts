import type {
  Method,
  ServiceDeclaration,
  Word,
} from "../../generator/1-parse/ast.js";
import { derivedStructsOf } from "../../generator/2-check/notation/unions.js";
import type {
  CheckedHost,
  Declared,
  Program,
} from "../../generator/2-check/program/program.js";
import { locate } from "../../generator/2-check/report/finding.js";
import type {
  MethodSubject,
  ServiceSubject,
  Subject,
} from "./diff/facts/change.js";
import type { Location } from "../../generator/source/source.js";

/**
 * Locates a name or, if it does not exist, its parent. Returns null if neither
 * exists.
 */
export function locateSubject(
  subject: Subject,
  program: Program,
): Location | null {
  switch (subject.kind) {
    case "host":
      return locateHost(subject.host, program);
    case "service":
      return (
        locateName(findService(subject, program)) ??
        locateHost(subject.host, program)
      );
    case "method":
      return (
        locateName(findMethod(subject, program)) ??
        locateSubject({ ...subject, kind: "service" }, program)
      );
    case "argument":
      return (
        locateArgument(subject, program) ??
        locateSubject(subject.method, program)
      );
    case "type":
      return locateName(findType(subject.name, program));
    case "member":
      return locateMember(subject, program);
    case "error":
      return locateName(
        program.errors.find(({ syntax }) => syntax.name.text === subject.name),
      );
  }
}

interface Named {
  readonly name: { readonly span: Location["span"] };
}

function locateName(found: Declared<Named> | undefined): Location | null {
  return found ? locate(found.document, found.syntax.name) : null;
}

/**
 * Locates the `basepath` header of a host, or else its `name` header, its first
 * header, or the start of its document. Returns null if there is no such host.
 */
function locateHost(name: string, { hosts }: Program): Location | null {
  const host = findHost(name, hosts);
  if (host === undefined) return null;
  const { items } = host.document.syntax;
  const headers = items.filter((item) => item.kind === "header");
  const header =
    headers.find(({ key }) => key.text === "basepath") ??
    headers.find(({ key }) => key.text === "name") ??
    headers[0];
  const span = header?.value.span ?? { start: 0, end: 0 };
  return locate(host.document, { span });
}

/** Finds a host by name, or the only host, which may have been renamed. */
function findHost(
  name: string,
  hosts: Program["hosts"],
): CheckedHost | undefined {
  const [first, ...others] = hosts;
  return others.length === 0 ? first : hosts.find((each) => each.name === name);
}

function findService(
  { host, service }: Omit<ServiceSubject, "kind">,
  { hosts }: Program,
): Declared<ServiceDeclaration> | undefined {
  return findHost(host, hosts)?.services.find(
    ({ syntax }) => syntax.name.text === service,
  );
}

function findMethod(
  subject: MethodSubject,
  program: Program,
): Declared<Method> | undefined {
  const service = findService(subject, program);
  const method = service?.syntax.methods.find(
    ({ name }) => name.text === subject.method,
  );
  return service && method && { document: service.document, syntax: method };
}

function locateArgument(
  { method, side, name }: Extract<Subject, { kind: "argument" }>,
  program: Program,
): Location | null {
  const found = findMethod(method, program);
  if (found === undefined) return null;
  const message = side === "request" ? found.syntax.input : found.syntax.output;
  const argument = message.arguments.find((each) => each.name.text === name);
  return argument ? locate(found.document, argument.name) : null;
}

/** Finds a type, or the struct of which a type is a variant. */
function findType(
  name: string,
  { types }: Program,
): Program["types"][number] | undefined {
  return (
    types.find(({ syntax }) => syntax.name.text === name) ??
    types.find(
      ({ syntax }) =>
        syntax.kind === "struct" &&
        derivedStructsOf(syntax).some((each) => each.name === name),
    )
  );
}

function locateMember(
  { type, name }: Extract<Subject, { kind: "member" }>,
  program: Program,
): Location | null {
  const found = findType(type, program);
  if (found === undefined) return null;
  const { syntax, document } = found;
  const member = membersOf(syntax).find((each) => each.name.text === name);
  return locate(document, (member ?? syntax).name);
}

function membersOf(
  syntax: Program["types"][number]["syntax"],
): readonly { readonly name: Word }[] {
  switch (syntax.kind) {
    case "struct":
      return syntax.fields;
    case "enum":
      return syntax.members;
    case "alias":
      return [];
  }
}
