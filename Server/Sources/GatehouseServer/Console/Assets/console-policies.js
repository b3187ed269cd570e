// A project's policies: what each means, its default, and what a change replaces.

import { api, may, project } from "./console-api.js";
import { projectBase } from "./console-part.js";
import { t } from "./console-policies-texts.js";
import "./console-setup.js";
import { language } from "./console-texts.js";
import {
  button, card, checkbox, confirm, element, emptyState, field, form, heading, input, link, section, select, table, textarea, toast,
} from "./console-ui.js";

const rate = (standard, unit) => ({ standard, unit, from: 1, to: 1_000_000 });
const day = { pattern: "\\d{4}-\\d{2}-\\d{2}", placeholder: "2027-06-30" };
const events = ["endSessions", "deleteAccount", "ignore"];

/** The defaults are those of a project in production; the server's are null in a PATCH. */
const SPECS = {
  refusesSignUp: { standard: false }, protectsEmails: { standard: true }, allowsDuplicateEmails: { standard: false },
  allowsAnonymous: { standard: false }, allowsPasswords: { standard: true }, allowsEmailLinks: { standard: false },
  "passwordPolicy.isEnforced": { standard: false }, "passwordPolicy.isForcedOnSignIn": { standard: false },
  "passwordPolicy.minimumLength": { standard: 6, unit: "characters", from: 6, to: 30 },
  "passwordPolicy.maximumLength": { standard: 4096, unit: "characters", from: 6, to: 4096 },
  "passwordPolicy.requiresLowercase": { standard: false }, "passwordPolicy.requiresUppercase": { standard: false },
  "passwordPolicy.requiresDigit": { standard: false }, "passwordPolicy.requiresSymbol": { standard: false },
  recentSignInSeconds: { standard: 300, unit: "seconds", from: 1, to: 86_400 },
  refreshGraceSeconds: { standard: 60, unit: "seconds", from: 0, to: 600 },
  "tokens.algorithm": { standard: "RS256", options: ["RS256", "ES256"] },
  nonce: { standard: "client", options: ["client", "server"] },
  linkConsent: { standard: "off", options: ["off", "anonymized", "always"] },
  linksNeedRecentSignIn: { standard: false }, allowsUnlinkingLast: { standard: true },
  refusesDeletion: { standard: false }, deletionGraceDays: { standard: 0, unit: "days", from: 0, to: 90 },
  revokesAtProvider: { standard: true },
  "providerEvents.consentRevoked": { standard: "endSessions", options: events },
  "providerEvents.accountDeleted": { standard: "endSessions", options: events },
  redirectURLs: { standard: [] }, callbackURI: { standard: "", type: "url" },
  "email.language": { standard: "" }, "email.senderName": { standard: "" }, "email.senderLocalPart": { standard: "" },
  "email.replyTo": { standard: "", type: "email" }, sendsNotices: { standard: true },
  "branding.logoURL": { standard: "", type: "url" }, "branding.color": { standard: "", pattern: "#[0-9a-fA-F]{6}", placeholder: "#1d5c4f" },
  "branding.termsURL": { standard: "", type: "url" }, "branding.privacyURL": { standard: "", type: "url" },
  "rateLimits.failuresPerAccount": rate(10, "perTenMinutes"), "rateLimits.failuresPerAddress": rate(100, "perTenMinutes"),
  "rateLimits.signUpsPerAddress": rate(100, "perHour"), "rateLimits.providerCallsPerAccount": rate(20, "perTenMinutes"),
  "rateLimits.signInsPerIdentity": rate(60, "perTenMinutes"), "rateLimits.codesPerAddress": rate(100, "perHour"),
  "rateLimits.codesPerProject": rate(5000, "perHour"), "rateLimits.wrongCodesPerAddress": rate(50, "perDay"),
  "rateLimits.wrongCodesPerEmail": rate(20, "perDay"), "rateLimits.wrongCodesPerProject": rate(2000, "perDay"),
  "phone.isEnabled": { standard: false }, "phone.allowedPrefixes": { standard: [] }, "phone.testNumbers": { standard: {} },
  "phone.messagesPerNumber": rate(5, "perHour"), "phone.messagesPerAddress": rate(20, "perHour"),
  "phone.messagesPerRange": rate(30, "perHour"), "phone.messagesPerDay": rate(1000, "perDay"),
  "phone.wrongCodesPerNumber": rate(10, "perHour"),
  "secondFactors.isEnabled": { standard: false }, "secondFactors.offersTOTP": { standard: false },
  "secondFactors.offersMessages": { standard: false },
  "secondFactors.adjacentIntervals": { standard: 1, unit: "codes", from: 0, to: 10 },
  "secondFactors.isRequired": { standard: false }, "secondFactors.requiredClaim": { standard: "" },
  "secondFactors.requiredFrom": { standard: "", ...day },
  "passkeys.isEnabled": { standard: false }, "passkeys.relyingPartyID": { standard: "" },
  "passkeys.relyingPartyName": { standard: "" }, "passkeys.origins": { standard: [] },
  "passkeys.requiresUserVerification": { standard: false },
  "passkeys.enrollURL": { standard: "", type: "url" }, "passkeys.manageURL": { standard: "", type: "url" },
  "firebaseSessions.project": { standard: "" }, "firebaseSessions.until": { standard: "", ...day },
};

const under = (prefix) => Object.keys(SPECS).filter((name) => name.startsWith(`${prefix}.`));

export const GROUPS = {
  accounts: ["refusesSignUp", "allowsAnonymous", "allowsEmailLinks", "protectsEmails", "allowsDuplicateEmails"],
  passwords: ["allowsPasswords", ...under("passwordPolicy")],
  sessions: ["recentSignInSeconds", "refreshGraceSeconds", "tokens.algorithm", "nonce"],
  linking: ["linkConsent", "linksNeedRecentSignIn", "allowsUnlinkingLast"],
  deletion: ["refusesDeletion", "deletionGraceDays", "revokesAtProvider", ...under("providerEvents")],
  secondFactors: under("secondFactors"),
  passkeys: under("passkeys"),
  phone: under("phone"),
  limits: under("rateLimits"),
  email: ["sendsNotices", ...under("email")],
  branding: under("branding"),
  addresses: ["redirectURLs", "callbackURI"],
  firebase: under("firebaseSessions"),
};

export async function render(main, route) {
  const policies = await readPolicies();
  const named = new Set(Object.values(GROUPS).flat());
  const others = Object.keys(policies).filter((name) => !named.has(name));
  const groups = [...Object.entries(GROUPS), ["other", others]].filter(([, names]) => names.length);
  const find = input({ type: "search", "aria-label": t("find"), placeholder: t("find") });
  const editor = policyEditor(policies, groups, () => { main.replaceChildren(); return render(main, route); }, find);
  const jumps = element("div", { class: "jumps buttons" }, [...editor.querySelectorAll("section")].map((one) => {
    const title = one.querySelector("h2");
    return button(title.textContent, () => { one.scrollIntoView(); title.tabIndex = -1; title.focus({ preventScroll: true }); }, { class: "small" });
  }));
  // A link of another page names the policy.
  find.value = route.query.get("find") ?? "";
  find.dispatchEvent(new Event("input"));
  main.append(heading(t("title"), { text: t("lead") }), find, element("div", { class: "beside" }, jumps, editor),
    element("p", { class: "quiet" }, `${t("blocking")} `, link(t("blockingLink"), `#/${encodeURIComponent(project())}/hooks`)));
}

/** Policies by their dotted names. */
export async function readPolicies() {
  return flatten((await api.get(`${projectBase()}/config`)).policies);
}

function flatten(values, prefix = "") {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => {
    const name = prefix + key;
    const isGroup = value !== null && typeof value === "object" && !Array.isArray(value) && !SPECS[name];
    return isGroup ? Object.entries(flatten(value, `${name}.`)) : [[name, value]];
  }));
}

/**
 * A form of policies.
 *
 * @param groups `[[id, names]]`; a single group has no headline.
 * @param saved Called after a change.
 * @param find A search field for the names, if there are many.
 */
export function policyEditor(policies, groups, saved, find) {
  const mayChange = may("administrator");
  const count = element("span", { role: "status", class: "quiet" });
  const rows = new Map(groups.flatMap(([, names]) => names)
    .filter((name) => name in policies).map((name) => [name, policyRow(name, policies[name], update, mayChange)]));
  const changed = () => [...rows.values()].filter((row) => row.isChanged());
  const discard = button(t("discard"), () => { rows.forEach((row) => row.discard()); update(); });
  function update() {
    const number = changed().length;
    count.textContent = number ? t("changes", { count: number }) : "";
    discard.hidden = !number;
    made.classList.toggle("dirty", number > 0);
    made.toggleAttribute("data-changed", number > 0);
  }
  const sections = groups.map(([id, names]) => {
    const nodes = names.map((name) => rows.get(name)?.node).filter(Boolean);
    return groups.length === 1 ? card(nodes) : section(t(`group.${id}`), card(nodes));
  });
  const nothing = element("div", { hidden: true }, emptyState(t("none")));
  const made = mayChange
    ? form([sections, nothing], async () => {
      const changes = changed();
      if (!changes.length || !await review(changes)) return update();
      await api.patch(`${projectBase()}/config`, { policies: Object.fromEntries(changes.map((row) => [row.name, row.sent()])) }, { updateMask: "policies" });
      toast(t("saved"));
      return saved();
    }, { submit: t("review"), others: [discard, count] })
    : element("div", { class: "stack" }, element("p", { class: "quiet" }, t("readOnly")), sections, nothing);
  made.classList.add("policies");
  find?.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows.values()) row.node.hidden = !words.every((word) => row.text.includes(word));
    for (const one of sections) one.hidden = !one.querySelector(".policy:not([hidden])");
    nothing.hidden = sections.some((one) => !one.hidden);
  });
  made.addEventListener("invalid", ({ target }) => {
    if (!target.closest("[hidden]")) return;
    find.value = "";
    find.dispatchEvent(new Event("input"));
  }, true);
  update();
  return made;
}

function policyRow(name, value, changed, mayChange) {
  const { standard, unit, from, to } = SPECS[name] ?? {};
  const label = t.has(name) ? t(name) : name;
  const shown = controlFor(name, label, value);
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  let isReset = false;
  const reset = button(t("reset"), () => { shown.write(standard); isReset = true; update(); shown.control.focus(); }, { class: "text", "aria-label": `${t("reset")}: ${label}` });
  const hint = [
    t.has(`${name}?`) && element("span", {}, t(`${name}?`)),
    element("span", { class: "meta" },
      element("code", {}, name),
      typeof value === "object" && element("span", {}, t(Array.isArray(value) ? "lines" : "pairs")),
      unit && element("span", {}, from === undefined ? t(unit) : `${t(unit)}, ${t("range", { from, to })}`),
      standard !== undefined && element("span", {}, t("default", { value: inWords(standard) })),
      mayChange && reset),
  ];
  const node = element("div", { class: "policy" }, field(label, shown.node, { hint }));
  shown.control.disabled = !mayChange;
  // The button is no part of what a screen reader says about the control.
  node.append(node.querySelector(".meta"));
  function update() {
    const now = shown.read();
    if (!same(now, standard)) isReset = false;
    reset.hidden = standard === undefined || same(now, standard);
    node.classList.toggle("changed", !same(now, value));
    changed();
  }
  shown.control.addEventListener("input", update);
  reset.hidden = standard === undefined || same(value, standard);
  return {
    name, node, label, was: value, read: shown.read, isChanged: () => !same(shown.read(), value),
    sent: () => (isReset ? null : shown.read()),
    discard: () => { shown.write(value); update(); },
    text: `${name} ${label} ${t.has(`${name}?`) ? t(`${name}?`) : ""}`.toLowerCase(),
  };
}

/** `{node, control, read, write}` for a value of this type. */
function controlFor(name, label, value) {
  const { options, from, to, type, pattern, placeholder } = SPECS[name] ?? {};
  if (typeof value === "boolean") {
    const node = checkbox(label, value);
    return { node, control: node.control, read: () => node.control.checked, write: (to) => { node.control.checked = to; } };
  }
  if (typeof value === "number") {
    const control = input({ type: "number", value, min: from, max: to, step: 1, required: true });
    return { node: control, control, read: () => Number(control.value), write: (to) => { control.value = to; } };
  }
  if (Array.isArray(value)) {
    const control = textarea({ rows: 3, value: value.join("\n") });
    return { node: control, control, read: () => lines(control.value), write: (to) => { control.value = to.join("\n"); } };
  }
  if (value !== null && typeof value === "object") {
    const text = (map) => Object.entries(map).map((pair) => pair.join("=")).join("\n");
    const control = textarea({ rows: 3, value: text(value) });
    return {
      node: control, control, write: (to) => { control.value = text(to); },
      read: () => Object.fromEntries(lines(control.value).map((line) => line.split("=").map((part) => part.trim())).map(([key, code = ""]) => [key, code])),
    };
  }
  const control = options ? select(options.map((one) => [one]), value) : input({ value, type, pattern, placeholder, title: pattern && placeholder, spellcheck: "false" });
  return { node: control, control, read: () => control.value.trim(), write: (to) => { control.value = to; } };
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

function inWords(value) {
  if (typeof value === "boolean") return t(value ? "on" : "off");
  if (typeof value === "number") return value.toLocaleString(language());
  if (Array.isArray(value)) return value.join(", ") || t("empty");
  if (typeof value === "object") return Object.entries(value).map((pair) => pair.join("=")).join(", ") || t("empty");
  return value || t("empty");
}

function review(changes) {
  const shown = table({
    columns: [
      { title: t("policy"), cell: ({ label }) => label },
      { title: t("from"), cell: ({ was }) => inWords(was) },
      { title: t("to"), cell: ({ read }) => element("strong", {}, inWords(read())) },
    ],
    rows: changes,
  });
  return confirm({ title: t("confirm"), text: shown, action: t("save") });
}
