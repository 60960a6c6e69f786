import { button, h } from "../../explorer/views/element.js";

/** One of several panels. */
export interface Panel {
  readonly name: string;
  readonly element: HTMLElement;
  /** Called when the panel is shown. */
  onShow?(): void;
}

/** Panels, each with a tab. One panel is visible. */
export class TabPanels {
  readonly element: HTMLElement;
  readonly #panels: readonly Panel[];
  readonly #tabs: readonly HTMLButtonElement[];
  #index = 0;

  constructor(label: string, panels: readonly Panel[]) {
    this.#panels = panels;
    this.#tabs = panels.map(({ name }, index) =>
      button(name, () => this.show(index), {
        role: "tab",
        id: `tab-${index}`,
        "aria-controls": `panel-${index}`,
      }),
    );
    const onKey = (event: Event): void => {
      if (event instanceof KeyboardEvent) this.#move(event);
    };
    this.element = h(
      "section",
      { class: "output", "aria-label": label },
      h(
        "div",
        { role: "tablist", "aria-label": label, onkeydown: onKey },
        this.#tabs,
      ),
      panels.map(({ element }, index) =>
        h(
          "div",
          {
            role: "tabpanel",
            id: `panel-${index}`,
            "aria-labelledby": `tab-${index}`,
          },
          element,
        ),
      ),
    );
    this.#mark();
  }

  /** Whether a panel is shown. */
  isShown(panel: Panel): boolean {
    return this.#panels[this.#index] === panel;
  }

  /** Shows a panel. */
  show(index: number): void {
    this.#index = index;
    this.#mark();
    this.#panels[index]?.onShow?.();
  }

  #mark(): void {
    this.#tabs.forEach((tab, index) => {
      const isCurrent = index === this.#index;
      tab.setAttribute("aria-selected", String(isCurrent));
      tab.tabIndex = isCurrent ? 0 : -1;
    });
    const panels = this.element.querySelectorAll<HTMLElement>(
      ":scope > [role=tabpanel]",
    );
    panels.forEach((panel, index) => (panel.hidden = index !== this.#index));
  }

  /** Switches tabs with the arrow keys. */
  #move({ key }: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step === undefined) return;
    const count = this.#tabs.length;
    const next = (this.#index + step + count) % count;
    this.show(next);
    this.#tabs[next]?.focus();
  }
}
