import { button, h } from "../../explorer/views/element.js";
import { showDialog } from "./show-dialog.js";

/**
 * Asks for a name in a dialog. `accept` uses the name and returns null, or
 * returns a message that explains why it cannot. In that case, the dialog stays
 * open.
 */
export async function askName(
  title: string,
  first: string,
  accept: (name: string) => Promise<string | null>,
): Promise<void> {
  const input = h("input", {
    id: "name",
    value: first,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "name-fault",
  });
  const fault = h("p", { id: "name-fault", class: "fault", role: "alert" });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const refusal = await accept(input.value.trim());
    if (refusal === null) dialog.close();
    else fault.textContent = refusal;
  };
  const dialog = h(
    "dialog",
    { "aria-labelledby": "name-title" },
    h(
      "form",
      { onsubmit: (event) => void submit(event) },
      h("label", { for: "name", id: "name-title" }, title),
      input,
      fault,
      h(
        "div",
        { class: "row" },
        button("Cancel", () => dialog.close()),
        h("button", { class: "primary" }, "OK"),
      ),
    ),
  );
  showDialog(dialog);
  input.select();
}
