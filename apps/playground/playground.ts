import { button, h } from "../explorer/views/element.js";
import { themeView } from "../explorer/views/theme.js";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { showDiagnostics } from "./editor/diagnostics.js";
import { showActions } from "./editor/actions.js";
import { ask } from "./editor/language-client.js";
import { format } from "./editor/navigation.js";
import { setTokens } from "./editor/token-colors.js";
import { Workspace } from "./editor/workspace.js";
import { MockView } from "./mock/mock-view.js";
import { type Documents, fromFragment, toFragment } from "./editor/share.js";
import { CodeChoice } from "./views/code-choice.js";
import { DocumentTabs } from "./views/document-tabs.js";
import { FilesView } from "./views/files-view.js";
import { ProblemsView } from "./views/problems-view.js";
import { type Panel, TabPanels } from "./views/tab-panels.js";

/** An example contract. */
interface Example {
  readonly name: string;
  readonly documents: Documents;
}

/** The examples, which `build.js` reads from their folder. */
declare const EXAMPLES: readonly Example[];

/** Delay between a keystroke and the check of the contract, in milliseconds. */
const pauseMs = 100;

/** Where the site, which has the same origin, remembers its theme. */
const siteTheme = "vitepress-theme-appearance";

const startWorker = (name: string) => (): Worker =>
  new Worker(new URL(`${name}.js`, import.meta.url), { type: "module" });

const isOpenapi = (path: string): boolean => path.endsWith("openapi.yaml");

/** Creates a hidden message. */
const notice = (text: string): HTMLElement =>
  h("p", { class: "notice", role: "status", hidden: true }, text);

/** The page, which connects the documents with their views. */
export class Playground {
  readonly #workspace = new Workspace(startWorker("language-worker"), {
    onChange: () => this.#plan(),
    onSwitch: () => this.#plan(),
    onStall: () =>
      this.#problems.say(
        "The check failed or took too long, and was stopped. It starts again after the next change.",
      ),
  });
  readonly #tabs = new DocumentTabs(this.#workspace);
  readonly #problems = new ProblemsView(this.#workspace);
  readonly #choice = new CodeChoice((options) => {
    this.#workspace.choose(options);
    this.#plan();
  });
  readonly #code = new FilesView(
    "File",
    (path) => !isOpenapi(path),
    /(?:^|\/)types\.[jt]s$/u,
    [this.#choice.element],
  );
  readonly #openapi = new FilesView("OpenAPI document", isOpenapi, /./u);
  readonly #mock = new MockView(startWorker("mock-worker"));
  readonly #mockPanel: Panel = {
    name: "Mock server",
    element: this.#mock.element,
    onShow: () => void this.#mock.serve(this.#workspace.documents),
  };
  readonly #panels = new TabPanels("Output", [
    { name: "Code", element: this.#code.element },
    { name: "OpenAPI", element: this.#openapi.element },
    this.#mockPanel,
  ]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  readonly #stale = notice(
    "The contract has errors. This is the output of the last version without errors.",
  );
  readonly #invalidLink = notice(
    "The link is invalid or incomplete, so its documents could not be opened.",
  );
  readonly #tooLarge = notice(
    "The contract is too large for a link. If you reload the page, you lose your last changes.",
  );

  /** Creates the page and opens the first documents. */
  async start(): Promise<void> {
    document.body.replaceChildren(
      this.#bar(),
      this.#invalidLink,
      this.#tooLarge,
      h(
        "main",
        {},
        h(
          "section",
          { class: "input", "aria-label": "Contract" },
          this.#tabs.element,
          this.#workspace.view.dom,
          this.#problems.element,
        ),
        h("div", { class: "right" }, this.#stale, this.#panels.element),
      ),
    );
    await this.#readLink(EXAMPLES[0]?.documents ?? []);
    window.addEventListener("hashchange", () => void this.#readLink(null));
  }

  #bar(): HTMLElement {
    const select = h(
      "select",
      {
        "aria-label": "Example",
        onchange: () => {
          const example = EXAMPLES.find(({ name }) => name === select.value);
          if (example) void this.#openExample(example.documents);
          select.value = "";
        },
      },
      h("option", { value: "" }, "Examples"),
      EXAMPLES.map(({ name }) => h("option", { value: name }, name)),
    );
    const share = button("Copy link", () => void this.#share(share));
    const logo = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    return h(
      "header",
      {},
      h(
        "h1",
        { class: "home" },
        h(
          "a",
          { href: "../" },
          h("img", { src: logo?.href ?? "", alt: "", class: "logo" }),
          "ridlkit",
        ),
        h("span", {}, " playground"),
      ),
      select,
      button("Actions", () => void showActions(this.#workspace)),
      button("Format", () => void format(this.#workspace)),
      share,
      themeView(siteTheme),
    );
  }

  /**
   * Waits for a pause in typing, then checks the contract and generates code.
   */
  #plan(): void {
    this.#tabs.update();
    this.#invalidLink.hidden = true;
    clearTimeout(this.#timer);
    const isFirst = this.#round === 0;
    this.#round += 1;
    const round = this.#round;
    this.#timer = setTimeout(
      () => void this.#check(round),
      isFirst ? 0 : pauseMs,
    );
  }

  async #check(round: number): Promise<void> {
    const isOver = (): boolean => round !== this.#round;
    if (this.#workspace.isStopped) return;
    const { documents, path, remote, view } = this.#workspace;
    const found = await ask(remote.call("diagnoseAll"));
    if (found === null || isOver()) return;
    const own = found.find((each) => each.path === path)?.diagnostics ?? [];
    showDiagnostics(this.#workspace, own);
    this.#problems.show(found);
    performance.mark("diagnosed");
    const tokens = await ask(remote.call("semanticTokens", path));
    if (isOver()) return;
    if (tokens !== null) view.dispatch({ effects: setTokens.of(tokens) });
    const files = await ask(remote.call("generate"));
    if (isOver()) return;
    this.#stale.hidden = files !== null;
    if (files !== null) this.#show(files);
    const fragment = await toFragment(documents);
    if (!isOver()) this.#writeLink(fragment);
  }

  #show(files: readonly OutputFile[]): void {
    this.#code.update(files);
    this.#openapi.update(files);
    const isMockShown = this.#panels.isShown(this.#mockPanel);
    if (isMockShown) void this.#mock.serve(this.#workspace.documents);
  }

  /**
   * Opens the documents in the address. If there are none, opens the default.
   */
  async #readLink(byDefault: Documents | null): Promise<void> {
    const fragment = location.hash.slice(1);
    const shared = fragment === "" ? null : await fromFragment(fragment);
    const documents = shared ?? byDefault;
    if (documents !== null) this.#open(documents);
    this.#invalidLink.hidden = fragment === "" || shared !== null;
  }

  /** Changes the address, unless the documents are too large for it. */
  #writeLink(fragment: string | null): void {
    this.#tooLarge.hidden = fragment !== null;
    if (fragment !== null) history.replaceState(null, "", `#${fragment}`);
  }

  /** Opens an example. The browser's Back button restores the documents. */
  async #openExample(documents: Documents): Promise<void> {
    const next = await toFragment(documents);
    this.#writeLink(await toFragment(this.#workspace.documents));
    history.pushState(null, "", `#${next}`);
    this.#open(documents);
  }

  #open(documents: Documents): void {
    this.#mock.forgetPlace();
    this.#workspace.open(documents);
  }

  async #share(share: HTMLButtonElement): Promise<void> {
    const fragment = await toFragment(this.#workspace.documents);
    this.#writeLink(fragment);
    if (fragment === null) return;
    try {
      await navigator.clipboard.writeText(location.href);
      share.textContent = "Copied";
    } catch {
      share.textContent = "Copy the URL from the address bar";
    }
    setTimeout(() => (share.textContent = "Copy link"), 2000);
  }
}
