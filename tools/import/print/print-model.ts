import { quote } from "../../../generator/1-parse/values.js";
import {
  type Meta,
  type Model,
  type ModelArgument,
  type ModelError,
  type ModelMessage,
  type ModelMethod,
  type ModelService,
  type ModelType,
  sharedSuffix,
} from "../model/model.js";
import { typesIn } from "./drop-unused.js";

/** What a line of the printed document declares. */
export interface LineOwner {
  readonly type?: ModelType;
  readonly method?: ModelMethod;
  /** The index of the field in its struct. */
  readonly field?: number;
  readonly meta?: Meta;
}

/** A printed document, with the owner of each line. */
export interface PrintedDocument {
  /** The name of its file. */
  readonly path: string;
  readonly text: string;
  /** By the number of the line, from 0. */
  readonly owners: readonly LineOwner[];
}

/**
 * Prints a model as RIDL documents. The formatter aligns them. `stem` is the name
 * of the first file without `.ridl`.
 */
export function printModel(
  model: Model,
  stem: string,
): readonly PrintedDocument[] {
  const { errors, hosts, types } = model;
  const [first] = hosts;
  if (first === undefined || hosts.length === 1) {
    const printer = new ModelPrinter();
    printer.header(model, "");
    printer.errors(errors);
    types.forEach((type) => printer.type(type));
    printer.services(first?.services ?? []);
    return [printer.end(`${stem}.ridl`)];
  }
  const shared = `${stem}-${sharedSuffix}.ridl`;
  const bases = hosts.map(({ base }) => base);
  const ofAll = types.filter(({ name }) => !bases.includes(name));
  const common = new ModelPrinter();
  common.line("webrpc = v1");
  common.blank();
  common.errors(errors);
  for (const type of ofAll) common.type(type);
  const documents = hosts.map(({ base, services, suffix }) => {
    const printer = new ModelPrinter();
    printer.header(model, suffix);
    if (usesAny(services, ofAll)) printer.line(`import ${quote(shared)}`);
    for (const type of types) if (type.name === base) printer.type(type);
    printer.services(services);
    return printer.end(`${stem}${suffix && `-${suffix}`}.ridl`);
  });
  const isEmpty = ofAll.length === 0 && errors.length === 0;
  return isEmpty ? documents : [...documents, common.end(shared)];
}

/** Whether services use any of these types, an error or a credential. */
function usesAny(
  services: readonly ModelService[],
  types: readonly ModelType[],
): boolean {
  const methods = services.flatMap((service) => service.methods);
  const words = new Set(
    methods
      .flatMap(({ input, output }) => [...typesIn(input), ...typesIn(output)])
      .flatMap((type) => type.match(/\w+/gu) ?? []),
  );
  const isErrorBody = ({ body }: ModelType): boolean =>
    body.kind === "alias" &&
    body.metadata.some(({ key }) => key === "errorBody");
  return (
    methods.some(
      ({ annotations, errors }) =>
        errors.length > 0 || annotations.some((text) => /^@auth\b/u.test(text)),
    ) || types.some((type) => words.has(type.name) || isErrorBody(type))
  );
}

class ModelPrinter {
  readonly #lines: string[] = [];
  readonly #owners: LineOwner[] = [];

  line(text: string, owner: LineOwner = {}): void {
    this.#lines.push(text);
    this.#owners.push(owner);
  }

  blank(): void {
    this.line("");
  }

  docs(lines: readonly string[], margin: string): void {
    for (const line of lines) this.line(`${margin}# ${line}`.trimEnd());
  }

  header({ docs, name, version }: Model, suffix: string): void {
    this.docs(docs, "");
    if (docs.length > 0) this.blank();
    this.line("webrpc = v1");
    this.line(`name = ${name}${suffix && `-${suffix}`}`);
    this.line(`version = ${version}`);
    this.blank();
  }

  errors(errors: readonly ModelError[]): void {
    for (const { code, docs, message, name, status } of errors) {
      this.docs(docs, "");
      const text = quote(clean(message));
      this.line(`error ${code} ${name} ${text} HTTP ${status}`);
    }
  }

  services(services: readonly ModelService[]): void {
    for (const { docs, methods, name } of services) {
      this.blank();
      this.docs(docs, "");
      this.line(`service ${name}`);
      methods.forEach((method, index) => {
        if (index > 0) this.blank();
        this.method(method);
      });
    }
  }

  type(type: ModelType): void {
    const { name, docs, body } = type;
    this.blank();
    this.docs(docs, "");
    switch (body.kind) {
      case "alias":
        this.line(`type ${name}: ${body.type}`, { type });
        for (const meta of body.metadata) this.#meta(meta, "  ", { type });
        return;
      case "enum":
        this.line(`enum ${name}: string`, { type });
        for (const member of body.members) {
          this.docs(member.docs ?? [], "  ");
          const isSame = member.name === member.value;
          const value = isSame ? "" : ` = ${printValue(member.value)}`;
          this.line(`  - ${member.name}${value}`, { type });
        }
        return;
      case "struct":
        this.line(`struct ${name}`, { type });
        body.fields.forEach((each, field) => {
          this.docs(each.docs, "  ");
          this.line(`  - ${printArgument(each)}`, { type, field });
          for (const meta of each.metadata) {
            this.#meta(meta, "    ", { type, field });
          }
        });
    }
  }

  method(method: ModelMethod): void {
    const { name, docs, annotations, input, output, errors, isStream } = method;
    const owner = { method };
    this.docs(docs, "  ");
    if (annotations.length > 0) this.line(`  ${annotations.join(" ")}`, owner);
    const isEmpty = output.kind === "arguments" && output.list.length === 0;
    const response =
      isEmpty && input.kind === "struct"
        ? ""
        : ` => ${isStream === true ? "stream " : ""}${printMessage(output)}`;
    const clause = errors.length > 0 ? ` errors ${errors.join(" | ")}` : "";
    this.line(`  - ${name}${printMessage(input)}${response}${clause}`, owner);
  }

  #meta(meta: Meta, margin: string, owner: LineOwner): void {
    this.line(`${margin}+ ${meta.key} = ${printValue(meta.value)}`, {
      ...owner,
      meta,
    });
  }

  end(path: string): PrintedDocument {
    const text = `${this.#lines.join("\n")}\n`;
    return { path, text, owners: this.#owners };
  }
}

function printMessage(message: ModelMessage): string {
  return message.kind === "struct"
    ? `(${message.name})`
    : `(${message.list.map(printArgument).join(", ")})`;
}

function printArgument({ name, type, isOptional }: ModelArgument): string {
  return `${name}${isOptional ? "?" : ""}: ${type}`;
}

/** Prints a value, in quotes unless it is one plain word. */
function printValue(value: string): string {
  const isWord = /^-?[A-Za-z0-9_][A-Za-z0-9_.|/-]*$/u.test(value);
  return isWord ? value : quote(clean(value));
}

function clean(text: string): string {
  return text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\u0000-\u0008\u000b-\u001f\u2028\u2029]/gu, " ");
}
