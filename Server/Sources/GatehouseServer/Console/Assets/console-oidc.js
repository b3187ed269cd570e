// Providers of OpenID Connect: their settings, a new one, and a change of the issuer.

import { api } from "./console-api.js";
import { t } from "./console-methods-texts.js";
import { projectBase } from "./console-part.js";
import { addresses, backLink, guide, methodsHash } from "./console-providers.js";
import { editor, repeat } from "./console-setup.js";
import { settings } from "./console-vendors.js";
import { card, confirm, element, field, form, heading, input, toast } from "./console-ui.js";

const basics = (resource) => [
  { path: "issuer", label: t("Issuer"), hint: t("Issuer?"), required: true, type: "url", placeholder: "https://login.example.com" },
  { path: "clientId", label: "Client ID", required: true },
  { path: "clientSecret", label: "Client secret", kind: "secret", isSet: resource.hasClientSecret },
];

const advanced = (resource) => [
  { path: "scopes", label: t("scopes"), hint: `${t("scopes?")} ${t("lines")}`, kind: "list", placeholder: "profile\nemail" },
  { path: "discoveryUrl", label: t("discoveryUrl"), hint: t("discoveryUrl?"), type: "url" },
  { path: "responseType", label: t("flow"), hint: t("flow?"), kind: "flow" },
  { path: "responseMode", label: t("responseMode"), hint: t("responseMode?"), kind: "choice", options: [["", t("default")], ["query"], ["form_post"], ["fragment"]] },
  {
    path: "clientAuthentication", label: t("clientAuthentication"), hint: t("clientAuthentication?"), kind: "choice",
    options: [["", t("default")], ["client_secret_basic"], ["client_secret_post"]],
  },
  { path: "publicClient", label: t("publicClient"), hint: t("publicClient?"), kind: "switch" },
  {
    label: t("keyTitle"), text: t("key.text"), specs: [
      { path: "clientKey.privateKey", label: t("clientKey.privateKey"), kind: "file", accept: ".pem,.key,.p8", isSet: Boolean(resource.clientKey) },
      { path: "clientKey.keyId", label: t("clientKey.keyId"), hint: t("clientKey.keyId?") },
      { path: "clientKey.algorithm", label: t("clientKey.algorithm"), hint: t("clientKey.algorithm?") },
      { path: "clientKey.audience", label: t("clientKey.audience"), hint: t("clientKey.audience?"), kind: "choice", options: [["", t("default")], ["issuer"], ["tokenEndpoint"]] },
    ],
  },
  {
    label: t("claims"), text: t("claims.text"),
    specs: ["email", "emailVerified", "name", "picture"].map((name) => ({ path: `claimMapping.${name}`, label: t(`claimMapping.${name}`) })),
  },
  { label: t("clients"), text: t("clients.text"), specs: [{ path: "clients", kind: "clients" }] },
  ...settings("additionalClientIds", "trustedAudiences", "allowedParameters", "requireNonce", "keepRefreshToken"),
  ...settings("trustEmail").map((spec) => ({ ...spec, hint: t("trustEmail.oidc?"), options: [["never"], ["always"]] })),
];

export const openIDConnect = {
  steps: [[], [["Redirect URI", "redirect"]], []],
  fields: (resource) => [{ path: "displayName", label: t("displayName"), hint: t("displayName?") }, ...basics(resource)],
  advanced,
};

/** A client has a secret, a key, or neither: a new one clears the other. A removed key takes its members along. */
export function settle(resource, body, mask) {
  const clear = (path) => { if (!mask.includes(path)) mask.push(path); };
  const hasNewKey = Boolean(body.clientKey?.privateKey);
  const isKeyRemoved = mask.includes("clientKey.privateKey") && !hasNewKey;
  if (isKeyRemoved || resource.clientKey && (body.clientSecret || body.publicClient)) {
    delete body.clientKey;
    mask.splice(0, mask.length, ...mask.filter((path) => !path.startsWith("clientKey")), "clientKey");
  }
  if (resource.hasClientSecret && !body.clientSecret && (hasNewKey || body.publicClient)) clear("clientSecret");
  if (resource.publicClient && (body.clientSecret || hasNewKey)) clear("publicClient");
}

/** The id for a name: “Acme Corp” → `oidc.acme-corp`. */
export function proposedID(name) {
  const slug = name.slice(0, 256).normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-/, "").replace(/^(?=\d)/, "idp-").slice(0, 32).replace(/-+$/, "");
  return slug && `oidc.${slug}`;
}

export async function renderNew(page) {
  const id = input({ required: true, pattern: "oidc\\.[a-z][a-z0-9._\\-]*[a-z0-9]", maxlength: 37, spellcheck: "false", autocapitalize: "off" });
  const place = element("div");
  const showGuide = async () => place.replaceChildren(guide("oidc", openIDConnect, id.value ? await addresses(id.value) : undefined));
  const edited = editor([
    { path: "displayName", label: t("displayName"), hint: t("displayName?"), required: true },
    ...basics({}), { label: t("advanced"), specs: advanced({}) },
  ], {});
  const name = edited.control("displayName");
  let isOwn = false;
  id.addEventListener("input", () => { isOwn = true; showGuide(); });
  name.addEventListener("input", () => {
    if (isOwn) return;
    id.value = proposedID(name.value);
    showGuide();
  });
  edited.nodes.splice(1, 0, field(t("providerId"), id, { hint: t("providerId?") }));
  const made = form(edited.nodes, async () => {
    const { body } = await edited.changes();
    await api.post(`${projectBase()}/oauthIdpConfigs`, { ...body, enabled: true }, { oauthIdpConfigId: id.value });
    location.hash = `${methodsHash(id.value)}?test=yes`;
  }, { submit: t("create"), saves: true });
  made.classList.add("form-card");
  await showGuide();
  page.append(backLink(), heading(t("new.title"), { text: t("new.lead") }), element("div", { class: "columns" }, place, made));
}

/** After a change of the issuer: moves the identities of the former one. */
export function issuerExtras(path, { identitiesOfOtherIssuers: count }, again) {
  const from = input({ type: "url", required: true, placeholder: "https://old.example.com" });
  const report = element("p", { role: "status" });
  return card(element("h2", {}, t("moved.title")), element("p", {}, t("moved.text", { count })),
    form([field(t("from"), from, { hint: t("move.text") }), report], async () => {
      if (!await confirm({ title: t("move"), text: t("move.text"), action: t("move"), kind: "danger" })) return;
      let moved = 0;
      await repeat((pageToken) => api.post(`${path}:moveIssuer`, { from: from.value, pageToken }), (answer) => {
        moved += answer.moved;
        report.textContent = t("moved", { count: moved });
      });
      toast(t("moved", { count: moved }));
      await again();
    }, { submit: t("move"), kind: "plain" }));
}
