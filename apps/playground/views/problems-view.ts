import { button, fill, h } from "../../explorer/views/element.js";
import type { EditorState } from "@codemirror/state";
import type {
  DocumentDiagnostics,
  PlacedDiagnostic,
} from "../../../tools/editor/service/model/results.js";
import type { Workspace } from "../editor/workspace.js";

/** The diagnostics of all documents, below the editor. */
export class ProblemsView {
  readonly element = h("section", {
    class: "problems",
    "aria-label": "Diagnostics",
  });
  readonly #summary = h(
    "p",
    { class: "summary", role: "status" },
    "Loading the check …",
  );
  readonly #list = h("ul", {});
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.element.append(this.#summary, this.#list);
  }

  /** Shows diagnostics. */
  show(found: readonly DocumentDiagnostics[]): void {
    const count = found.reduce(
      (sum, { diagnostics }) => sum + diagnostics.length,
      0,
    );
    this.#summary.textContent =
      count === 0
        ? "No problems"
        : `${count} ${count === 1 ? "problem" : "problems"}`;
    const apply = this.#workspace.prepareEdit();
    fill(
      this.#list,
      found.flatMap(({ diagnostics, path }) =>
        diagnostics.map((each) => this.#item(path, each, apply)),
      ),
    );
  }

  /** Shows a message instead of diagnostics. */
  say(text: string): void {
    this.#summary.textContent = text;
    fill(this.#list);
  }

  #item(
    path: string,
    found: PlacedDiagnostic,
    apply: ReturnType<Workspace["prepareEdit"]>,
  ): HTMLElement {
    const { code, fix, help, message, severity, span } = found;
    const place = button(
      [
        h("span", { class: "severity" }, severity),
        " ",
        h("span", { class: "message" }, message),
        " ",
        h(
          "span",
          { class: "place" },
          `${path}${this.#lineOf(path, span.start)}`,
        ),
      ],
      () => this.#workspace.show({ path, span }),
      { class: "problem" },
    );
    return h(
      "li",
      { class: severity },
      place,
      fix === undefined
        ? null
        : button("Fix", () => apply([fix.edit]), {
            "aria-label": `Fix: ${message}`,
          }),
      h("p", {}, h("code", {}, code), help === undefined ? null : ` ${help}`),
    );
  }

  #lineOf(path: string, offset: number): string {
    const { doc }: EditorState = this.#workspace.view.state;
    if (path !== this.#workspace.path || offset > doc.length) return "";
    return `:${doc.lineAt(offset).number}`;
  }
}
