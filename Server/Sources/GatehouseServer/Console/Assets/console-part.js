// What the pages of hooks, events, tools and the server's settings have in common.

import { api, project } from "./console-api.js";
import { complain, element } from "./console-ui.js";

export const projectBase = () => `/v2/projects/${encodeURIComponent(project())}`;
export const projectHash = (...parts) => `#/${[project(), ...parts].map(encodeURIComponent).join("/")}`;

/**
 * A part of a page that `build` fills. `load()` fills it again after a change; `build` gets it too.
 */
export function part(build) {
  const place = element("div", { class: "stack", tabindex: "-1" });
  place.load = async () => {
    const hadFocus = place.contains(document.activeElement);
    place.setAttribute("aria-busy", "true");
    try {
      place.replaceChildren(...[await build(place.load)].flat().filter(Boolean));
      if (hadFocus) place.focus();
    } catch (error) {
      complain(error);
    } finally {
      place.removeAttribute("aria-busy");
    }
  };
  place.load();
  return place;
}

/** A list that is short by its nature. */
export const list = async (path, member, query) => (await api.get(path, query))[member] ?? [];
