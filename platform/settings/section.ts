import {
  isBoolean,
  isRecord,
  isSafeUint,
  isString,
  ownValue,
} from "@ridlkit/runtime/validation";
import type { Report } from "@ridlkit/runtime/validation";

import { anyText, type Form } from "./forms.js";

/** Reads the values of a mapping and reports any that are invalid. */
export class Section {
  readonly #values: Record<string, unknown>;
  readonly #report: Report;
  readonly #known = new Set<string>();

  constructor(value: unknown, report: Report) {
    if (!isRecord(value)) report.fail("an object", value);
    this.#values = isRecord(value) ? value : {};
    this.#report = report;
  }

  /** Returns whether there is a value, which may be invalid. */
  has(key: string): boolean {
    const value = this.#read(key);
    return value !== undefined && value !== null;
  }

  /** Returns whether there is a nested mapping. */
  isSection(key: string): boolean {
    return isRecord(this.#read(key));
  }

  /**
   * Reads a string in a form, which is any nonempty string by default. If it is
   * missing, `known` takes its place.
   */
  text(key: string, form: Form = anyText, known?: string): string {
    const value = this.#read(key) ?? known;
    if (isString(value) && form.matches(value)) return value;
    this.#refuse(key, form, value);
    return "";
  }

  /** Reads a string in a form, or null if there is none. */
  optionalText(key: string, form?: Form): string | null {
    return this.has(key) ? this.text(key, form) : null;
  }

  /** Returns the keys of the mapping. */
  keys(): readonly string[] {
    return Object.keys(this.#values);
  }

  /** Reads one of several strings. */
  oneOf<Text extends string>(key: string, texts: readonly Text[]): Text | null {
    const value = this.#read(key);
    const found = texts.find((text) => text === value) ?? null;
    if (found === null)
      this.#report.failAt(key, `one of ${texts.join(", ")}`, value);
    return found;
  }

  /** Reads a nonnegative integer, which may be a string of digits. */
  integer(
    key: string,
    [minimum, maximum]: readonly [number, number] = [0, 2 ** 53 - 1],
  ): number {
    const value = this.#read(key);
    const isDigits = isString(value) && /^[0-9]+$/u.test(value);
    const number = isDigits ? Number(value) : value;
    if (isSafeUint(number) && number >= minimum && number <= maximum) {
      return number;
    }
    this.#report.failAt(key, `an integer from ${minimum} to ${maximum}`, value);
    return 0;
  }

  /** Reads true or false, which may be a string. */
  boolean(key: string): boolean {
    const value = this.#read(key);
    if (isBoolean(value)) return value;
    if (value === "true" || value === "false") return value === "true";
    this.#report.failAt(key, "true or false", value);
    return false;
  }

  /**
   * Reads a list of strings in a form, like `text`. If it is missing, `known`
   * takes its place.
   */
  texts(
    key: string,
    form: Form = anyText,
    known?: readonly string[],
  ): readonly string[] {
    const value = this.#read(key) ?? known;
    if (!Array.isArray(value) || !value.every(isString)) {
      this.#report.failAt(key, "a list of strings", value);
      return [];
    }
    this.#report.enter(key);
    for (const [index, text] of value.entries()) {
      if (!form.matches(text)) this.#refuse(index, form, text);
    }
    this.#report.leave();
    return value;
  }

  /** Reads a nested mapping, or null if there is none. */
  optionalSection<Value>(
    key: string,
    read: (section: Section) => Value,
  ): Value | null {
    return this.has(key) ? this.section(key, read) : null;
  }

  /** Reads a nested mapping. */
  section<Value>(key: string, read: (section: Section) => Value): Value {
    const value = this.#read(key);
    this.#report.enter(key);
    const section = new Section(value, this.#report);
    const result = read(section);
    section.refuseOthers();
    this.#report.leave();
    return result;
  }

  /** Reads all nested mappings. */
  sections<Value>(
    read: (key: string, section: Section) => Value,
  ): readonly Value[] {
    return Object.keys(this.#values).map((key) =>
      this.section(key, (section) => read(key, section)),
    );
  }

  /** Rejects unknown keys: a misspelled key would silently have no effect. */
  refuseOthers(): void {
    for (const [key, value] of Object.entries(this.#values)) {
      if (this.#known.has(key)) continue;
      this.#report.failAt(key, "no setting with this name", value);
    }
  }

  #refuse(key: string | number, form: Form, value: unknown): void {
    const hidden = form.isSecret === true ? 1 : 0;
    this.#report.hidden += hidden;
    this.#report.failAt(key, form.expected, value);
    this.#report.hidden -= hidden;
  }

  #read(key: string): unknown {
    this.#known.add(key);
    return ownValue(this.#values, key);
  }
}
