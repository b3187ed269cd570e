// What the pages of hooks, events, tools and the server's settings have in common.

import { api, project } from "./console-api.js";
import { texts } from "./console-texts.js";
import { button, complain, dialog, element, form } from "./console-ui.js";

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

/**
 * A dialog with a form, which closes when `submit` has succeeded. If that returns a function, it
 * runs afterwards, for what comes next: another dialog, for example.
 */
export function ask(title, children, submit, label) {
  const shown = dialog(title, form(children, async () => {
    const next = await submit();
    shown.close();
    next?.();
  }, { submit: label, others: [button(t("cancel"), () => shown.close())] }));
  return shown;
}

/** A list that is short by its nature. */
export const list = async (path, member, query) => (await api.get(path, query))[member] ?? [];

export const eventKinds = [
  "account.created", "account.linked", "account.unlinked", "account.signed_in_on_new_device",
  "account.reauthenticated", "account.session_ended", "account.tokens_revoked",
  "account.passkey_added", "account.passkey_removed", "account.passkey_counter_went_back",
  "account.second_factor_added", "account.second_factor_removed",
  "account.recovery_codes_changed", "account.email_changed", "account.email_verified",
  "account.password_changed", "account.claims_changed", "account.profile_changed",
  "account.disabled", "account.enabled", "account.deletion_scheduled",
  "account.deletion_cancelled", "account.deleted", "setting.changed",
];

const t = texts({ en: { cancel: "Cancel" }, de: { cancel: "Abbrechen" }, vi: { cancel: "Hủy" } });
