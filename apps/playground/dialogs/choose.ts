import { button, h } from "../../explorer/views/element.js";
import { showDialog } from "./show-dialog.js";

/** One option of a dialog. */
export interface Choice {
  readonly label: string;
  /** Text after the label, e.g. a place. */
  readonly detail?: string;
  choose(): void;
}

/** Shows choices in a dialog. Shows `otherwise` if there are none. */
export function offerChoices(
  title: string,
  choices: readonly Choice[],
  otherwise: string,
): void {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "choice-title" },
    h("h2", { id: "choice-title" }, title),
    choices.length === 0 ? h("p", {}, otherwise) : null,
    h(
      "ul",
      { class: "choices" },
      choices.map(({ choose, detail, label }) =>
        h(
          "li",
          {},
          button(
            [
              label,
              detail === undefined
                ? null
                : h("span", { class: "place" }, ` ${detail}`),
            ],
            () => {
              dialog.close();
              choose();
            },
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      button("Cancel", () => dialog.close()),
    ),
  );
  showDialog(dialog);
}
