import { button, fill, h, removeButton } from "../../explorer/views/element.js";
import type { Workspace } from "../editor/workspace.js";
import { askName } from "../dialogs/ask-name.js";

/** Returns the text of a new document. */
const emptyDocument = (name: string): string =>
  `webrpc = v1\nname = ${name}\nversion = v1.0.0\n`;

/** A tab for each document, and a button that adds one. */
export class DocumentTabs {
  readonly element = h("nav", {
    class: "documents",
    "aria-label": "Documents",
  });
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Updates the tabs to show the current documents. */
  update(): void {
    const { path: current, paths } = this.#workspace;
    fill(
      this.element,
      paths.map((path) =>
        h(
          "span",
          { class: path === current ? "tab current" : "tab" },
          button(path, () => this.#workspace.switchTo(path), {
            "aria-current": path === current ? "true" : undefined,
          }),
          paths.length > 1 &&
            removeButton("×", () => this.#workspace.remove(path), {
              class: "close",
              "aria-label": `Remove ${path}`,
            }),
        ),
      ),
      button("+", () => void this.#add(), { "aria-label": "Add a document" }),
    );
  }

  async #add(): Promise<void> {
    await askName("Document name", "common.ridl", async (path) => {
      const [, name] = /^([a-z][\w-]*)\.ridl$/u.exec(path) ?? [];
      if (name === undefined) return "Use a name such as common.ridl.";
      if (this.#workspace.paths.includes(path))
        return `${path} already exists.`;
      this.#workspace.add(path, emptyDocument(name));
      return null;
    });
  }
}
