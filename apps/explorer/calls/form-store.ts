import { createForm, fieldsToJson } from "./draft-json.js";
import type { FieldDraft } from "./draft.js";
import { printFlat } from "./json-text.js";
import type { Entry, Model } from "./model.js";
import type { PageStorage } from "./page-storage.js";
import { fillInValues, type PageValues } from "./page-values.js";
import {
  type FormContent,
  linkWithMessage,
  messageOf,
  readContent,
  readLink,
} from "./shared-message.js";

/** Larger forms would fill the tab's storage. */
const maxLink = 20_000;

const part = "forms";

/**
 * The forms of all methods. What the user entered survives a reload of the page,
 * except secrets, files and invalid JSON.
 */
export class FormStore {
  readonly #model: Model;
  readonly #values: PageValues;
  readonly #storage: PageStorage;
  readonly #contents = new Map<string, FormContent>();

  /** `values` are the initial values, which the server provides. */
  constructor(model: Model, values: PageValues, storage: PageStorage) {
    this.#model = model;
    this.#values = values;
    this.#storage = storage;
    this.#restore();
  }

  /** Returns the form of a method, which the caller changes. */
  of(entry: Entry): FormContent {
    const known = this.#contents.get(entry.id);
    if (known !== undefined) return known;
    const made: FormContent = { fields: this.#create(entry), json: null };
    this.#contents.set(entry.id, made);
    return made;
  }

  /** Fills in the form of a method with a message. */
  fillIn(entry: Entry, json: string): void {
    this.#contents.set(entry.id, readContent(this.#model, entry, json));
  }

  /** Stores the forms that differ from their initial values. */
  save(): void {
    const links = [...this.#contents].flatMap(([id, content]) => {
      const entry = this.#model.find(id);
      const message = messageOf(this.#model, content);
      if (entry === null || message === null) return [];
      const initial = fieldsToJson(this.#model, this.#create(entry));
      if (printFlat(message) === printFlat(initial)) return [];
      const link = linkWithMessage(this.#model, entry, message);
      return link.length > maxLink ? [] : [link];
    });
    this.#storage.write(part, links);
  }

  #create({ id, method }: Entry): readonly FieldDraft[] {
    const fields = createForm(this.#model, method.request);
    fillInValues(this.#model, fields, this.#values, id);
    return fields;
  }

  #restore(): void {
    for (const link of [this.#storage.read(part) ?? []].flat()) {
      const { id, json } = readLink(String(link));
      const entry = this.#model.find(id);
      if (entry === null || json === null) continue;
      const content = readContent(this.#model, entry, json);
      // The contract may have changed since.
      if (content.json === null) this.#contents.set(id, content);
    }
  }
}
