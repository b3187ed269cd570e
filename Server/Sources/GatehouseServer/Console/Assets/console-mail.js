// Emails: how they are sent, their texts, and those that wait.

import { api, may, mayServer, mode, project } from "./console-api.js";
import { list, part, projectBase } from "./console-part.js";
import { t } from "./console-mail-texts.js";
import { outbox } from "./console-outbox.js";
import "./console-setup.js";
import { KINDS, renderTemplate } from "./console-templates.js";
import {
  badge, card, checkbox, details, element, field, findings, form, heading, input, link, section, snippet, tabs, table,
} from "./console-ui.js";

export async function render(main, route) {
  const [kind, language] = route.parts;
  if (KINDS.includes(kind)) return renderTemplate(main, kind, language ?? "en");
  main.append(heading(t("title"), { text: t("lead") }), tabs([
    { id: "texts", label: t("texts"), render: (panel) => panel.append(part(templates)) },
    { id: "sending", label: t("sending"), render: sending },
    { id: "queue", label: t("queue"), render: (panel) => panel.append(outbox(projectBase(), { kind: "send-mail", mayChange: may("administrator") })) },
  ]));
}

export const mailHash = (...parts) => `#/${[project(), "mail", ...parts].map(encodeURIComponent).join("/")}`;

async function templates() {
  const own = await list(`${projectBase()}/emailTemplates`, "emailTemplates");
  const languages = [...new Set(["en", "de", "vi", ...own.map(({ language }) => language)])];
  const isOwn = (kind, language) => own.some((one) => one.kind === kind && one.language === language);
  return [
    element("p", { class: "quiet" }, t("texts.text")),
    table({
      columns: [
        { title: t("email"), cell: (kind) => link(t(`kind.${kind}`), mailHash(kind, "en")) },
        { title: t("when"), cell: (kind) => t(`kind.${kind}?`), wide: true },
        {
          title: t("languages"),
          cell: (kind) => element("span", { class: "row" }, languages.map((language) => link(
            isOwn(kind, language) ? badge(language, "good") : language, mailHash(kind, language),
            { "aria-label": `${t(`kind.${kind}`)}, ${language}${isOwn(kind, language) ? `, ${t("own")}` : ""}` }))),
        },
      ],
      rows: KINDS,
    }),
    own.length > 0 && element("p", { class: "quiet" }, badge("en", "good"), ` ${t("ownMark")}`),
  ];
}

async function sending(panel) {
  if (mode() === "development") {
    panel.append(card(element("p", {}, t("development"), " ", element("a", { href: "/mailbox", target: "_blank", rel: "noopener" }, t("mailbox")))));
  }
  panel.append(card(element("h2", {}, t("sender")), element("p", {}, t("sender.text"), " ", link(t("toPolicies"), `#/${encodeURIComponent(project())}/policies`))));
  if (!mayServer()) return panel.append(element("p", { class: "quiet" }, t("ownersOnly")));
  const { settings } = await api.get("/v2/server/settings");
  const value = (key) => settings.find((one) => one.key === key) ?? {};
  const isSet = (key) => ![undefined, "none", ""].includes(value(key).value);
  const keys = ["server", "webhook", "from", "replyTo", "user", "password", "authentication", "caFile", "appleRelay"];
  panel.append(
    section(t("settings"), card(
      isSet("mail.server") || isSet("mail.webhook") ? "" : element("p", {}, badge(t("unset"), "warn"), ` ${t("unset.text")}`),
      table({
        columns: [
          { title: t("setting"), cell: ({ key }) => element("code", {}, key) },
          { title: t("value"), cell: ({ value: text, from }) => (from === "default" && text === "none" ? element("span", { class: "quiet" }, t("notSet")) : element("code", {}, text)), wide: true },
          { title: t("from"), cell: ({ from }) => (from === "default" ? t("default") : element("code", {}, from)) },
        ],
        rows: keys.map((key) => value(`mail.${key}`)).filter(({ key }) => key),
      }),
      details(t("howTo"), element("p", {}, t("howTo.text")), snippet(EXAMPLE), element("p", { class: "quiet" }, t("relay"))))),
    section(t("test"), testMail()));
}

const EXAMPLE = `GATEHOUSE_MAIL_SERVER=smtps://smtp.example.com:465
GATEHOUSE_MAIL_FROM="Notes <noreply@example.com>"
GATEHOUSE_MAIL_USER=apikey
GATEHOUSE_MAIL_PASSWORD_FILE=/etc/gatehouse/mail-password`;

function testMail() {
  const to = input({ type: "email", placeholder: "you@example.com" });
  const selectors = input({ placeholder: "s1, s2", spellcheck: "false" });
  const domain = checkbox(t("checkDomain"), true);
  const results = element("div", { class: "stack", role: "status" });
  const made = form([field(t("to"), to, { hint: t("to?") }), field(t("checkDomain"), domain, { hint: t("checkDomain?") }),
    field(t("selectors"), selectors, { hint: t("selectors?") }), results], async () => {
    results.replaceChildren(element("p", { class: "quiet" }, t("testing")));
    try {
      const { healthy, findings: found } = await api.post("/v2/server/mail:test", {
        ...(to.value && { to: to.value }), checkDomain: domain.control.checked,
        dkimSelectors: selectors.value.split(/[\s,]+/).filter(Boolean),
      });
      results.replaceChildren(element("strong", {}, t(healthy ? "healthy" : "unhealthy")), findings(found));
    } catch (error) {
      results.replaceChildren();
      throw error;
    }
  }, { submit: t("send") });
  made.classList.add("form-card");
  return made;
}
