// The ways to sign in to a project, and the page of each.

import { may, project } from "./console-api.js";
import { t } from "./console-methods-texts.js";
import { renderNew } from "./console-oidc.js";
import { list, projectBase } from "./console-part.js";
import { GROUPS, policyEditor, readPolicies } from "./console-policies.js";
import { backLink, isOpenIDConnect, methodsHash, renderProvider } from "./console-providers.js";
import { VENDORS } from "./console-vendors.js";
import { badge, bdi, element, heading, link, section, table } from "./console-ui.js";

/** Methods that are policies: whether one is on, and what belongs to it. */
const OWN = {
  password: { policy: "allowsPasswords", names: [...GROUPS.passwords, "protectsEmails"] },
  emailLink: { policy: "allowsEmailLinks", names: ["allowsEmailLinks", "protectsEmails"] },
  phone: { policy: "phone.isEnabled", names: GROUPS.phone },
  anonymous: { policy: "allowsAnonymous", names: ["allowsAnonymous"] },
  passkeys: { policy: "passkeys.isEnabled", names: GROUPS.passkeys },
  secondFactors: { policy: "secondFactors.isEnabled", names: GROUPS.secondFactors },
};

export async function render(main, route) {
  const [id] = route.parts;
  if (!id) return renderList(main);
  if (id === "new") return renderNew(main);
  if (OWN[id]) return renderOwn(main, id);
  if (VENDORS[id] || isOpenIDConnect(id)) return renderProvider(main, id, route.query.has("test") && may("administrator"));
  location.replace(methodsHash());
}

async function renderList(main) {
  const [builtIn, added, policies] = await Promise.all([
    list(`${projectBase()}/defaultSupportedIdpConfigs`, "defaultSupportedIdpConfigs"),
    list(`${projectBase()}/oauthIdpConfigs`, "oauthIdpConfigs"),
    readPolicies(),
  ]);
  const lastOf = ({ name }) => name.split("/").pop();
  const configured = new Map([...builtIn, ...added].map((resource) => [lastOf(resource), resource]));
  const providers = [...Object.keys(VENDORS), ...added.map(lastOf)].map((id) => {
    const resource = configured.get(id);
    return {
      id, name: VENDORS[id]?.name ?? resource.displayName ?? id,
      state: resource && (resource.enabled ? "on" : "off"),
      about: resource && element("code", {}, resource.clientId ?? resource.audiences?.[0] ?? ""),
    };
  });
  const own = Object.entries(OWN).map(([id, { policy }]) => ({ id, name: t(id), state: policies[policy] ? "on" : "off", about: t(`${id}.lead`) }));
  main.append(
    heading(t("title"), { text: t("lead"), actions: may("administrator") ? [link(t("add"), methodsHash("new"), { class: "button primary" })] : [] }),
    section(t("vendors"), methods(providers)), section(t("own"), methods(own)));
}

function methods(rows) {
  const made = table({
    columns: [
      {
        title: t("name"),
        cell: ({ id, name }) => link([element("span", { class: "letter", "aria-hidden": "true" }, [...name][0].toUpperCase()), bdi(name)], methodsHash(id), { class: "method-name" }),
      },
      { title: t("state"), cell: ({ state }) => badge(t(state ?? "unset"), state === "on" ? "good" : "quiet") },
      { title: t("about"), cell: ({ about }) => about ?? element("span", { class: "quiet" }, "–"), wide: true },
    ],
    rows,
    onRow: ({ id }) => { location.hash = methodsHash(id); },
  });
  made.classList.add("methods");
  return made;
}

async function renderOwn(main, id) {
  const policies = await readPolicies();
  const { policy, names } = OWN[id];
  const again = () => { main.replaceChildren(); return renderOwn(main, id); };
  main.append(
    backLink(),
    heading(t(id), { text: [badge(t(policies[policy] ? "on" : "off"), policies[policy] ? "good" : "quiet"), " ", t(`${id}.lead`)] }),
    policyEditor(policies, [[id, names]], again));
}
