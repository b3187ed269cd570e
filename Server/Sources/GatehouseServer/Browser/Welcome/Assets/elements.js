// The page's elements. Texts become text nodes and never markup: the page's policy allows nothing
// else.

import { text } from "./data.js";

export const byID = (id) => document.getElementById(id);

/** An element with attributes and children; a child that is a string becomes text. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") made.addEventListener("click", value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button that is disabled while its action runs. */
export function button(id, label, action, attributes = {}) {
  const made = element("button", { type: "button", id, ...attributes }, label);
  made.addEventListener("click", async () => {
    made.disabled = true;
    try {
      await action();
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

export function fill(id, ...children) { byID(id).replaceChildren(...children); }

export function show(id, isShown = true) { byID(id).hidden = !isShown; }

/**
 * Reports in one line what happened, also to screen readers.
 *
 * @param step Where to continue reading, if the page was just loaded or has changed.
 */
export function announce(line, step) {
  byID("status").textContent = line;
  if (!step) return;
  byID(`step-${step}`).scrollIntoView();
  byID(`title-${step}`).focus({ preventScroll: true });
}

/** `CODE` and what to do about it. */
export function complain(error) {
  const code = error.code ?? "UNEXPECTED";
  const remedies = [code, code.replace(/^auth\//, "")].map((name) => `remedy.${name}`);
  const remedy = remedies.map((name) => text(name)).find((found, at) => found !== remedies[at]);
  byID("problem-code").textContent = code;
  byID("problem-detail").textContent = error.detail ?? error.message ?? "";
  byID("problem-remedy").textContent = remedy ?? text("remedy.other");
  announce("");
  show("problem");
  byID("problem").focus();
}

export function hideProblem() { show("problem", false); }
