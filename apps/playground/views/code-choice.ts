import { h } from "../../explorer/views/element.js";
import { type CodeOptions, firstOptions } from "../worker/language-api.js";

/** Controls for the code generation options. */
export class CodeChoice {
  readonly element: HTMLElement;
  #options = firstOptions;
  readonly #onChange: (options: CodeOptions) => void;

  constructor(onChange: (options: CodeOptions) => void) {
    this.#onChange = onChange;
    this.element = h(
      "span",
      { class: "row" },
      this.#select("language", "Language", ["typescript", "javascript"]),
      this.#select("int64", "int64", ["number", "bigint"]),
      this.#select("timestamp", "timestamp", ["string", "date"]),
    );
  }

  #select<Key extends keyof CodeOptions>(
    key: Key,
    label: string,
    values: readonly CodeOptions[Key][],
  ): HTMLElement {
    const select = h(
      "select",
      {
        onchange: () => {
          const value = values[select.selectedIndex];
          this.#options = { ...this.#options, [key]: value };
          this.#onChange(this.#options);
        },
      },
      values.map((value) => h("option", {}, value)),
    );
    return h("label", {}, label, " ", select);
  }
}
