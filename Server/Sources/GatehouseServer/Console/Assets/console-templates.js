// The text of an email: edited with a preview that has example values.

import { api, may } from "./console-api.js";
import { mailHash } from "./console-mail.js";
import { t } from "./console-mail-texts.js";
import { shownHTML } from "./console-mail-preview.js";
import { list, projectBase } from "./console-part.js";
import {
  badge, button, card, confirm, details, download, element, field, form, heading, input, link, select, textarea, toast,
} from "./console-ui.js";

const WITH_LINK = ["verifyEmail", "resetPassword", "signIn", "verifyAndChangeEmail", "recoverEmail"];

export const KINDS = [
  ...WITH_LINK, "passwordChanged", "providerLinked", "passkeyAdded", "passkeyRemoved", "secondFactorAdded", "secondFactorRemoved",
  "recoveryCodesCreated", "recoveryCodeUsed", "deletionScheduled", "accountDeleted",
];

/** The values that a text of this kind may contain. */
function valuesOf(kind) {
  return [
    "appName", "email", "displayName", ...(WITH_LINK.includes(kind) ? ["link", "code", "expiry"] : []),
    ...(["verifyAndChangeEmail", "recoverEmail"].includes(kind) ? ["newEmail"] : []),
    ...(kind === "providerLinked" ? ["providerName"] : []), ...(kind === "deletionScheduled" ? ["expiry"] : []),
    "logoURL", "termsURL", "privacyURL",
  ];
}

export async function renderTemplate(main, kind, language) {
  const path = `${projectBase()}/emailTemplates/${kind}/languages/${encodeURIComponent(language)}`;
  const [template, own] = await Promise.all([api.get(path), list(`${projectBase()}/emailTemplates`, "emailTemplates")]);
  const again = () => { main.replaceChildren(); return renderTemplate(main, kind, language); };
  const [subject, text, html] = [
    input({ value: template.subject, required: true }), textarea({ value: template.text, rows: 14, required: true }), textarea({ value: template.html, rows: 14 }),
  ];
  const body = () => ({ subject: subject.value, text: text.value, ...(html.value.trim() && { html: html.value }) });
  const isAdministrator = may("administrator");

  const edit = isAdministrator
    ? form([
      field(t("subject"), subject), field(t("text"), text),
      details(t("html"), field(t("html"), html, { hint: t("html?") })),
      details(t("values"), element("p", {}, t("values.text")),
        element("ul", {}, valuesOf(kind).map((name) => element("li", {}, element("code", {}, `{{${name}}}`), ` ${t(`value.${name}`)}`)))),
    ], async () => {
      await api.patch(path, body());
      toast(t("saved"));
      await again();
    })
    : element("fieldset", { disabled: true }, field(t("subject"), subject), field(t("text"), text));
  edit.classList.add("form-card");
  main.append(
    link(`← ${t("title")}`, mailHash()),
    heading(t(`kind.${kind}`), {
      text: [badge(t(template.builtIn ? "builtIn" : "own"), template.builtIn ? "quiet" : "good"), " ", t(`kind.${kind}?`)],
      actions: isAdministrator && !template.builtIn ? [button(t("reset"), async () => {
        if (!await confirm({ title: t("reset.title"), text: t("reset.text"), action: t("reset"), kind: "danger" })) return;
        await api.delete(path);
        await again();
      }, { kind: "danger" })] : [],
    }),
    languageChoice(kind, language, own),
    element("div", { class: "columns" }, edit, preview(path, body, [subject, text, html])));
}

function languageChoice(kind, language, own) {
  const names = new Intl.DisplayNames(language, { type: "language", fallback: "code" });
  const tags = [...new Set(["en", "de", "vi", ...own.filter((one) => one.kind === kind).map((one) => one.language), language])];
  const choice = select([...tags.map((tag) => [tag, `${names.of(tag)} (${tag})`]), ["", t("otherLanguage")]], language);
  const place = element("div", { class: "row" }, field(t("language"), choice));
  choice.addEventListener("change", () => {
    if (choice.value) location.hash = mailHash(kind, choice.value);
    else place.append(otherLanguage(kind));
  });
  return place;
}

function otherLanguage(kind) {
  const tag = input({ required: true, placeholder: "fr", pattern: "[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", title: "fr, pt-BR", maxlength: 35 });
  return form([field(t("tag"), tag)], () => { location.hash = mailHash(kind, tag.value); }, { submit: t("open"), kind: "plain" });
}

/** Follows what is typed, a moment later. */
function preview(path, body, controls) {
  const place = element("div", { class: "stack" });
  let asked = 0;
  let timer;
  const show = async () => {
    const number = ++asked;
    try {
      const email = await api.post(`${path}:preview`, body());
      if (number === asked) place.replaceChildren(...shownEmail(email));
    } catch (error) {
      if (number !== asked) return;
      place.replaceChildren(element("p", { role: "status" }, badge(t("fault"), "bad"), " ", error.detail ?? error.message));
    }
  };
  controls.forEach((control) => control.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 400); }));
  show();
  return card(element("h2", {}, t("preview")), place);
}

function shownEmail({ subject, text, html }) {
  const plain = () => element("div", { class: "preview" }, text);
  const formatted = html && shownHTML(html);
  return [
    element("p", {}, element("strong", {}, subject)),
    formatted ? formatted : plain(),
    formatted && details(t("plainText"), plain()),
    html && button(t("downloadHTML"), () => download("email.html", html, "text/html"), { class: "small" }),
  ].filter(Boolean);
}
