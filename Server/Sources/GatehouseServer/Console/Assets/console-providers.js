// A provider: its form, the values to copy, its test, and what else an administrator does with it.

import { api, may, mode, project } from "./console-api.js";
import { appleExtras } from "./console-apple.js";
import { t } from "./console-methods-texts.js";
import { openIDConnect, issuerExtras, settle } from "./console-oidc.js";
import { list, projectBase } from "./console-part.js";
import { editor, named, publicURL } from "./console-setup.js";
import { settings, VENDORS } from "./console-vendors.js";
import {
  badge, bdi, button, card, confirm, copyable, details, element, facts, findings, form, heading, link, outside, time, toast,
} from "./console-ui.js";

export const isOpenIDConnect = (id) => id.startsWith("oidc.");
export const methodsHash = (...parts) => ["#", project(), "methods", ...parts].map((part, at) => (at ? encodeURIComponent(part) : part)).join("/");
export const backLink = () => link(`← ${t("back")}`, methodsHash());
const collection = (id) => `${projectBase()}/${isOpenIDConnect(id) ? "oauthIdpConfigs" : "defaultSupportedIdpConfigs"}`;
export const providerPath = (id) => `${collection(id)}/${encodeURIComponent(id)}`;

/** The addresses to register at a provider, also at one that isn't saved yet. */
export async function addresses(id, resource) {
  const server = await publicURL();
  const path = isOpenIDConnect(id) ? `/__/auth/handler/${project()}/${id}` : "/__/auth/handler";
  const notified = { "apple.com": "apple", "google.com": "google" }[id];
  return {
    domain: new URL(server).hostname,
    redirect: resource?.redirectUri ?? server + path,
    notifications: new URL(resource?.notificationUrl ?? `${server}/v1/notifications/${notified}/${project()}`, server).href,
  };
}

/** The steps at the vendor, with the values to copy: without `values`, they wait for the provider's id. */
export function guide(prefix, { name, page, steps, refusesLocalhost }, values) {
  const { protocol, hostname } = values ? new URL(values.redirect) : {};
  const isRefused = refusesLocalhost && mode() !== "development" && (protocol !== "https:" || /^localhost$|^[\d.]+$|:/.test(hostname));
  const shown = steps.map((copies, index) => element("li", {},
    element("p", {}, t(`${prefix}.${index + 1}`)),
    copies.map(([label, key]) => element("div", { class: "value" }, element("span", {}, label), values ? copyable(values[key]) : element("span", { class: "quiet" }, t("oidc.waits"))))));
  return card(element("h2", {}, name ? t("guide", { name }) : t("oidc.guide")),
    mode() === "development" && prefix !== "oidc" && element("p", { class: "quiet" }, t("simulated")),
    isRefused && element("p", {}, badge(t("warning"), "warn"), " ", t("refusedAddress", { name })),
    page && element("p", {}, outside(t("open", { name }), page)),
    element("ol", { class: "how" }, shown));
}

export async function renderProvider(main, id, isTested = false) {
  const vendor = isOpenIDConnect(id) ? openIDConnect : VENDORS[id];
  const isThere = isOpenIDConnect(id)
    || (await list(collection(id), "defaultSupportedIdpConfigs")).some(({ name }) => name.endsWith(`/${id}`));
  const found = isThere ? await api.get(providerPath(id)) : undefined;
  const resource = found ?? vendor.initial?.() ?? {};
  const name = vendor.name ?? resource.displayName ?? id;
  const values = await addresses(id, found);
  const hasApps = Boolean(vendor.check) && (await list(`${projectBase()}/iosApps`, "apps")).length > 0;
  const again = async (tests = false) => { main.replaceChildren(); await renderProvider(main, id, tests); };

  const results = element("div", { class: "stack", tabindex: "-1" });
  const test = async () => {
    results.replaceChildren(element("p", { class: "quiet", role: "status" }, t("testing")));
    try {
      const { healthy, findings: list } = await api.post(`${providerPath(id)}:test`);
      results.replaceChildren(element("p", { role: "status" }, element("strong", {}, t(healthy ? "healthy" : "unhealthy"))), findings(list));
    } catch (error) {
      results.replaceChildren();
      throw error;
    }
  };
  const isAdministrator = may("administrator");
  const steps = guide(isOpenIDConnect(id) ? "oidc" : id.split(".")[0], vendor, values);
  main.append(
    backLink(),
    heading(bdi(name), {
      text: [found ? badge(t(found.enabled ? "on" : "off"), found.enabled ? "good" : "quiet") : badge(t("unset")), " ", element("code", {}, id)],
      actions: found && isAdministrator ? [toggle(id, name, found, again), removal(id, name)] : [],
    }),
    isAdministrator ? "" : element("p", { class: "quiet" }, t("readOnly")),
    element("div", { class: "columns" }, found ? [valuesAndTest(), steps] : [steps, valuesAndTest()]),
    ...(found && isAdministrator ? extras(id, found, again) : []));
  if (!isTested) return;
  await test();
  results.scrollIntoView({ block: "nearest" });
  results.focus({ preventScroll: true });

  function valuesAndTest() {
    return element("div", { class: "stack" }, valuesForm(),
      found && isAdministrator && card(element("h2", {}, t("tested")), element("p", { class: "quiet" }, t("test.text")),
        element("div", { class: "buttons" }, button(t("test"), test)), results),
      found && derived(found));
  }

  function valuesForm() {
    let edited;
    const specs = [
      ...vendor.fields(resource, () => edited),
      { label: t("advanced"), specs: typeof vendor.advanced === "function" ? vendor.advanced(resource) : settings(...vendor.advanced) },
    ];
    edited = editor(specs, resource);
    const title = element("h2", {}, vendor.name ? t("form", { name: vendor.name }) : t("oidc.form"));
    if (!isAdministrator) return card(title, element("fieldset", { disabled: true }, edited.nodes));
    const consent = id === "apple.com" && element("p", { class: "quiet" }, t("apple.consent"), " ", link(t("apple.consentLink"), `#/${encodeURIComponent(project())}/policies?find=linkConsent`));
    const made = form([title, edited.nodes, consent], async () => {
      const { body, mask } = await edited.changes();
      settle(resource, body, mask);
      if (found && !mask.length) return toast(t("nothing"));
      if (found) await api.patch(providerPath(id), body, { updateMask: mask.join(",") });
      else await api.post(collection(id), { ...body, enabled: true }, { idpId: id });
      toast(t("saved"));
      await again(true);
    }, { submit: t(found ? "save" : "saveNew"), saves: true });
    made.classList.add("form-card");
    const check = () => vendor.check?.(edited.control, hasApps);
    made.addEventListener("input", check);
    check();
    return made;
  }
}

function toggle(id, name, { enabled }, again) {
  return button(t(enabled ? "disable" : "enable"), async () => {
    if (enabled && !await confirm({ title: t("disable.title", { name: named(name) }), text: t("disable.text", { name: named(name) }), action: t("disable") })) return;
    await api.patch(providerPath(id), { enabled: !enabled }, { updateMask: "enabled" });
    toast(t("saved"));
    await again();
  });
}

function removal(id, name) {
  return button(t("remove"), async () => {
    if (!await confirm({ title: t("remove.title", { name: named(name) }), text: t("remove.text", { name: named(name) }), action: t("remove"), kind: "danger" })) return;
    await api.delete(providerPath(id));
    toast(t("removed", { name: named(name) }));
    location.hash = methodsHash();
  }, { kind: "danger" });
}

/** What follows from the configuration. */
function derived({ audiences = [], notificationUrl, notifications, keySetUrl, clientKey }) {
  return details(t("about"), facts([
    audiences.length > 0 && [t("audiences"), audiences.map((one) => element("div", {}, element("code", {}, one)))],
    keySetUrl && [t("keySet"), copyable(keySetUrl)],
    clientKey?.keySet && [t("publicKey"), copyable(JSON.stringify(clientKey.keySet))],
    notificationUrl && [t("received"), notifications ? String(notifications.count) : t("none")],
    notifications && [t("lastKind"), element("span", {}, element("code", {}, notifications.lastKind), " ", time(notifications.lastTime))],
  ]));
}

function extras(id, resource, again) {
  if (id === "apple.com") return appleExtras(providerPath(id));
  return resource.identitiesOfOtherIssuers ? [issuerExtras(providerPath(id), resource, again)] : [];
}
