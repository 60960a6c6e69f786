import { h, fill } from "../../explorer/views/element.js";
import type { OutputFile } from "../../../generator/4-emit/emitter/emitter.js";
import { codeState, createCodeView } from "../editor/code-view.js";

/** Shows generated files, one at a time. */
export class FilesView {
  readonly element: HTMLElement;
  readonly #view = createCodeView();
  readonly #select: HTMLSelectElement;
  readonly #isShown: (path: string) => boolean;
  #files: readonly OutputFile[] = [];

  /** Input: a filter for files, and a pattern for the file to show first. */
  constructor(
    label: string,
    isShown: (path: string) => boolean,
    first: RegExp,
    controls: readonly HTMLElement[] = [],
  ) {
    this.#isShown = isShown;
    this.#first = first;
    this.#select = h("select", {
      "aria-label": label,
      onchange: () => this.#draw(),
    });
    const bar = h("div", { class: "row" }, this.#select, controls);
    this.element = h("div", { class: "files" }, bar, this.#view.dom);
  }

  readonly #first: RegExp;

  /** Shows the files, and keeps the current selection if possible. */
  update(files: readonly OutputFile[]): void {
    this.#files = files.filter(({ path }) => this.#isShown(path));
    const paths = this.#files.map(({ path }) => path);
    const { value } = this.#select;
    const chosen = paths.includes(value)
      ? value
      : (paths.find((path) => this.#first.test(path)) ?? paths[0] ?? "");
    fill(
      this.#select,
      paths.map((path) => h("option", { value: path }, path)),
    );
    this.#select.value = chosen;
    this.#draw();
  }

  #draw(): void {
    const { value } = this.#select;
    const text = this.#files.find(({ path }) => path === value)?.text ?? "";
    const top = this.#view.scrollDOM.scrollTop;
    const isSame = this.#view.dom.dataset["path"] === value;
    this.#view.dom.dataset["path"] = value;
    this.#view.setState(codeState(value, text));
    if (isSame) this.#view.scrollDOM.scrollTop = top;
  }
}
