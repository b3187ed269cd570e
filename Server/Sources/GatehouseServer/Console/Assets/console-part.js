// What the pages of hooks, events, tools and the server's settings have in common.

import { api, project } from "./console-api.js";
import { texts } from "./console-texts.js";
import { bdi, button, complain, dialog, element, form } from "./console-ui.js";

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

/** Who caused an event: the API's word in the reader's language, and the name if there is one. */
export function actor(text) {
  const [kind, name] = text.split(/ (.*)/s);
  const word = t.has(kind) ? t(kind) : kind;
  return name ? [bdi(name), element("small", { class: "below" }, word)] : word;
}

/** What kind of setting an event is about. */
export const subject = (what) => (t.has(what) ? t(what) : what);

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

const t = texts({
  en: {
    cancel: "Cancel", user: "user", administrator: "administration", command: "command", provider: "provider", server: "server",
    "API key": "API key", "Android app": "Android app", "admin key": "administrators' key", app: "app", "email template": "email text", hook: "hook",
    "issuer of identities": "issuer of identities", "master key": "master key", "outbox entry": "entry of the queue", "password key": "password key",
    project: "project", "service account": "service account", "signing key": "signing key", "webhook for codes": "program that sends codes",
  },
  de: {
    cancel: "Abbrechen", user: "Benutzer", administrator: "Verwaltung", command: "Befehl", provider: "Anbieter", server: "Server",
    "API key": "API-Schlüssel", "Android app": "Android-App", "admin key": "Schlüssel für Administratoren", app: "App", "email template": "E-Mail-Text", hook: "Hook",
    "issuer of identities": "Issuer von Identitäten", "master key": "Hauptschlüssel", "outbox entry": "Eintrag der Warteschlange", "password key": "Passwortschlüssel",
    project: "Projekt", "service account": "Dienstkonto", "signing key": "Signaturschlüssel", "webhook for codes": "Programm, das Codes verschickt",
  },
  vi: {
    cancel: "Hủy", user: "người dùng", administrator: "quản trị", command: "lệnh", provider: "nhà cung cấp", server: "máy chủ",
    "API key": "khóa API", "Android app": "ứng dụng Android", "admin key": "khóa quản trị", app: "ứng dụng", "email template": "nội dung email", hook: "hook",
    "issuer of identities": "issuer của danh tính", "master key": "khóa chính", "outbox entry": "mục trong hàng đợi", "password key": "khóa mật khẩu",
    project: "dự án", "service account": "tài khoản dịch vụ", "signing key": "khóa ký", "webhook for codes": "chương trình gửi mã",
  },
});
