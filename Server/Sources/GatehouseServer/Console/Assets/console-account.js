// What the pages about users have in common.

import { project } from "./console-api.js";
import { texts } from "./console-texts.js";
import { badge, bdi, element } from "./console-ui.js";

const t = texts({
  en: {
    nameless: "Without a name", on: "{browser} on {system}", password: "Password", phone: "Phone number", passkey: "Passkey", custom: "Custom token",
    anonymous: "Anonymous", noMethod: "None yet", emailLink: "Email link",
    disabled: "disabled", deletion: "deletion scheduled", factor: "second factor", unverified: "email not verified", active: "active",
  },
  de: {
    nameless: "Ohne Namen", on: "{browser} auf {system}", password: "Passwort", phone: "Telefonnummer", passkey: "Passkey", custom: "Custom Token",
    anonymous: "Anonym", noMethod: "Noch keine", emailLink: "E-Mail-Link",
    disabled: "gesperrt", deletion: "Löschung geplant", factor: "zweiter Faktor", unverified: "E-Mail nicht bestätigt", active: "aktiv",
  },
  vi: {
    nameless: "Không có tên", on: "{browser} trên {system}", password: "Mật khẩu", phone: "Số điện thoại", passkey: "Passkey", custom: "Custom token",
    anonymous: "Ẩn danh", noMethod: "Chưa có", emailLink: "Liên kết email",
    disabled: "đã khóa", deletion: "đã lên lịch xóa", factor: "yếu tố thứ hai", unverified: "email chưa xác minh", active: "hoạt động",
  },
});

const VENDORS = {
  "apple.com": "Apple", "google.com": "Google", "facebook.com": "Facebook", "github.com": "GitHub", "microsoft.com": "Microsoft",
};
const OWN_METHODS = ["password", "phone", "passkey", "custom", "anonymous"];

/** What a search may filter by, beside the project's own providers. */
export const METHODS = [...Object.keys(VENDORS), ...OWN_METHODS];

export const accounts = (verb = "") => `/v1/projects/${project()}/accounts${verb}`;
export const userPage = (uid) => `#/${project()}/users/${encodeURIComponent(uid)}`;

export function methodName(id) { return VENDORS[id] ?? (t.has(id) ? t(id) : id); }

export function nameOf(user) { return user.displayName || user.email || user.phoneNumber || t("nameless"); }

/** The ways by which the user can sign in. */
export function methodsOf(user) {
  const found = (user.providerUserInfo ?? []).map(({ providerId }) => providerId);
  if (user.emailLinkSignin) found.push("emailLink");
  if (user.passkeyInfo?.length) found.push("passkey");
  if (user.customAuth) found.push("custom");
  if (found.length) return found;
  // An administrator created the account, and the user has not signed in.
  return [user.email ? "noMethod" : "anonymous"];
}

export function methodBadges(user) {
  return element("span", { class: "badges" }, methodsOf(user).map((id) => badge(bdi(methodName(id)))));
}

export function stateBadges(user) {
  const marks = [
    user.disabled && badge(t("disabled"), "bad"),
    user.deletionScheduledFor && badge(t("deletion"), "bad"),
    user.email && !user.emailVerified && badge(t("unverified"), "warn"),
    user.mfaInfo?.length > 0 && badge(t("factor"), "good"),
  ].filter(Boolean);
  return element("span", { class: "badges" }, marks.length ? marks : badge(t("active"), "good"));
}

const BROWSERS = [["Edg", "Edge"], ["OPR", "Opera"], ["SamsungBrowser", "Samsung Internet"], ["Firefox", "Firefox"], ["FxiOS", "Firefox"], ["CriOS", "Chrome"], ["Chrome", "Chrome"], ["Safari", "Safari"]];
const SYSTEMS = [["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["Mac OS X", "Mac"], ["CrOS", "ChromeOS"], ["Linux", "Linux"]];

/** A user agent in words if it is a known browser's; its title is the whole text. */
export function client(userAgent) {
  const [browser, system] = [BROWSERS, SYSTEMS].map((known) => known.find(([mark]) => userAgent.includes(mark))?.[1]);
  const isBrowser = userAgent.startsWith("Mozilla/") && browser && system;
  return element("bdi", { title: userAgent }, isBrowser ? t("on", { browser, system }) : userAgent);
}
