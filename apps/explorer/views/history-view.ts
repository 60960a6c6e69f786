import type { CallHistory, PastCall } from "../calls/call-history.js";
import { button, type Child, fill, h, spaced } from "./element.js";

/** Shows the calls made in this tab, which can be opened or sent again. */
export function historyView(
  history: CallHistory,
  sendAgain: (call: PastCall) => void,
): HTMLElement {
  const list = h("div", {});
  const draw = (): void =>
    fill(list, callsView(history.calls, sendAgain), clear());
  const clear = (): Child =>
    history.calls.length > 0 &&
    h(
      "p",
      {},
      button("Clear history", () => {
        history.clear();
        draw();
      }),
    );
  draw();
  return h(
    "article",
    { class: "page" },
    h("h1", { tabindex: "-1" }, "History"),
    h(
      "p",
      { class: "lead" },
      "Calls made in this tab. Keys and sensitive fields are not stored.",
    ),
    list,
  );
}

function callsView(
  calls: readonly PastCall[],
  sendAgain: (call: PastCall) => void,
): Child {
  if (calls.length === 0) return h("p", { class: "quiet" }, "No calls yet.");
  return h(
    "ul",
    { class: "fields calls" },
    calls.map((call) => {
      const time = new Date(call.at).toLocaleTimeString();
      const duration = `${Math.round(call.milliseconds)} ms`;
      return h(
        "li",
        {},
        h(
          "div",
          { class: "field-head" },
          spaced(
            h("a", { href: call.link }, call.id),
            h("span", { class: call.isOk ? "ok" : "bad" }, call.result),
            h("span", { class: "type" }, `${time}, ${duration}`),
            button("Send again", () => sendAgain(call), {
              class: "small",
              "aria-label": `Send again: ${call.id} at ${time}`,
            }),
          ),
        ),
      );
    }),
  );
}
