import { Playground } from "./playground.js";

/** Whether a page of another site shows this page in a frame. */
function isFramedByOthers(): boolean {
  try {
    return window.top?.location.origin !== location.origin;
  } catch {
    return true;
  }
}

if (isFramedByOthers()) {
  document.body.textContent = "Open the playground in its own tab.";
} else {
  void new Playground().start();
}
