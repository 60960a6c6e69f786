import { quote } from "../../1-parse/values.js";
import type {
  Meta,
  Model,
  ModelArgument,
  ModelMessage,
  ModelMethod,
  ModelType,
} from "../model/model.js";

/** What a line of the printed document declares. */
export interface LineOwner {
  readonly type?: ModelType;
  readonly method?: ModelMethod;
  /** The index of the field in its struct. */
  readonly field?: number;
  readonly meta?: Meta;
}

/** A printed document, with the owner of each line. */
export interface PrintedModel {
  readonly text: string;
  /** By the number of the line, from 0. */
  readonly owners: readonly LineOwner[];
}

/** Prints a model as RIDL. The formatter aligns it. */
export function printModel(model: Model): PrintedModel {
  const printer = new ModelPrinter();
  printer.header(model);
  for (const error of model.errors) {
    printer.docs(error.docs, "");
    const message = quote(clean(error.message));
    printer.line(
      `error ${error.code} ${error.name} ${message} HTTP ${error.status}`,
    );
  }
  for (const type of model.types) printer.type(type);
  for (const service of model.services) {
    printer.blank();
    printer.docs(service.docs, "");
    printer.line(`service ${service.name}`);
    service.methods.forEach((method, index) => {
      if (index > 0) printer.blank();
      printer.method(method);
    });
  }
  return printer.end();
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

  header({ docs, name, version, basePath }: Model): void {
    this.docs(docs, "");
    if (docs.length > 0) this.blank();
    this.line("webrpc = v1");
    this.line(`name = ${name}`);
    this.line(`version = ${version}`);
    if (basePath !== null) this.line(`basepath = ${basePath}`);
    this.blank();
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
    const { name, docs, annotations, input, output, errors } = method;
    const owner = { method };
    this.docs(docs, "  ");
    if (annotations.length > 0) this.line(`  ${annotations.join(" ")}`, owner);
    const isEmpty = output.kind === "arguments" && output.list.length === 0;
    const response =
      isEmpty && input.kind === "struct" ? "" : ` => ${printMessage(output)}`;
    const clause = errors.length > 0 ? ` errors ${errors.join(" | ")}` : "";
    this.line(`  - ${name}${printMessage(input)}${response}${clause}`, owner);
  }

  #meta(meta: Meta, margin: string, owner: LineOwner): void {
    this.line(`${margin}+ ${meta.key} = ${printValue(meta.value)}`, {
      ...owner,
      meta,
    });
  }

  end(): PrintedModel {
    return { text: `${this.#lines.join("\n")}\n`, owners: this.#owners };
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
