// What each built-in provider calls its values, and where they are on its pages.

import { mode } from "./console-api.js";
import { t } from "./console-methods-texts.js";

const apple = "appleSignInConfig.codeFlowConfig";

const common = {
  additionalClientIds: { kind: "list" }, trustedAudiences: { kind: "list" }, allowedParameters: { kind: "list" },
  trustEmail: { kind: "choice", options: [["always"], ["authoritative"], ["never"]] },
  requireNonce: { kind: "switch" }, keepRefreshToken: { kind: "maybe" },
  notificationForwardUrl: { type: "url" },
};

/** Settings that several providers have, with their own texts. */
export const settings = (...paths) => paths.map((path) => ({
  path, label: t(path),
  hint: common[path].kind === "list" ? `${t(`${path}?`)} ${t("lines")}` : t(`${path}?`), ...common[path],
}));

const secret = (label, hint, more) => ({ path: "clientSecret", kind: "secret", label, hint, ...more });

/**
 * `fields(resource)` are specs of `editor`, `advanced` names `settings`, and each step has the values to copy:
 * their label at the vendor, and their name in `addresses`. `initial` are the server's defaults. `check` says what
 * the browser can't know about the controls.
 */
export const VENDORS = {
  "apple.com": {
    name: "Apple", page: "https://developer.apple.com/account/resources", initial: () => ({ trustEmail: "always", requireNonce: mode() !== "development" }),
    refusesLocalhost: true,
    steps: [[], [], [], [["Domains and Subdomains", "domain"], ["Return URLs", "redirect"]], [], [["Server-to-Server Notification Endpoint", "notifications"]], []],
    fields: (resource, edited) => [
      { path: `${apple}.teamId`, label: "Team ID", hint: t("Team ID?"), maxlength: 10, pattern: "[A-Z0-9]{10}" },
      { path: "appleSignInConfig.bundleIds", label: "Bundle IDs", hint: `${t("Bundle IDs?")} ${t("lines")}`, kind: "list", placeholder: "com.example.app" },
      { path: "clientId", label: "Services ID", hint: t("Services ID?"), placeholder: "com.example.web" },
      {
        path: `${apple}.privateKey`, label: "Private key (.p8)", hint: t("Private key?"), kind: "file", accept: ".p8",
        onName: (name) => {
          const [, id] = /^AuthKey_([A-Z0-9]{10})\.p8$/.exec(name) ?? [];
          if (id) edited().control(`${apple}.keyId`).value = id;
        },
      },
      { path: `${apple}.keyId`, label: "Key ID", hint: t("Key ID?"), maxlength: 10, pattern: "[A-Z0-9]{10}" },
    ],
    // Tokens are for an app or for a Services ID, and a key is of no use in parts.
    check: (control, hasApps) => {
      const [bundles, service] = [control("appleSignInConfig.bundleIds"), control("clientId")];
      bundles.setCustomValidity(hasApps || bundles.value.trim() || service.value.trim() ? "" : t("apple.noClient"));
      const [team, key, file] = ["teamId", "keyId", "privateKey"].map((name) => control(`${apple}.${name}`));
      team.required = key.required = Boolean(team.value || key.value || file.files.length);
      file.required = team.required && !("isSet" in file.dataset);
    },
    advanced: ["requireNonce", "keepRefreshToken", "trustEmail", "notificationForwardUrl", "additionalClientIds", "trustedAudiences", "allowedParameters"],
  },
  "google.com": {
    name: "Google", page: "https://console.cloud.google.com/auth/clients", initial: () => ({ trustEmail: mode() === "development" ? "always" : "authoritative" }),
    steps: [[], [["Authorized redirect URIs", "redirect"]], [], [], [["RISC receiver", "notifications"]]],
    fields: (resource) => [
      { path: "clientId", label: "Client ID", hint: t("Web client ID?"), required: true },
      secret("Client secret", t("Secret?"), { isSet: resource.hasClientSecret }),
      ...settings("additionalClientIds"),
    ],
    advanced: ["requireNonce", "keepRefreshToken", "trustEmail", "notificationForwardUrl", "trustedAudiences", "allowedParameters"],
  },
  "facebook.com": {
    name: "Facebook", page: "https://developers.facebook.com/apps",
    steps: [[], [["Valid OAuth Redirect URIs", "redirect"]], []],
    fields: (resource) => [
      { path: "clientId", label: "App ID", hint: t("App ID?"), required: true },
      secret("App secret", t("App secret?"), { isSet: resource.hasClientSecret }),
    ],
    advanced: ["requireNonce", "additionalClientIds", "trustedAudiences", "allowedParameters"],
  },
  "github.com": {
    name: "GitHub", page: "https://github.com/settings/developers", initial: () => ({ trustEmail: "never" }),
    steps: [[], [["Authorization callback URL", "redirect"]], []],
    fields: (resource) => [
      { path: "clientId", label: "Client ID", required: true },
      secret("Client secret", undefined, { isSet: resource.hasClientSecret, required: true }),
    ],
    advanced: ["trustEmail", "keepRefreshToken", "additionalClientIds", "allowedParameters"],
  },
  "microsoft.com": {
    name: "Microsoft", page: "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade",
    steps: [[], [["Redirect URI", "redirect"]], [], []],
    fields: (resource) => [
      { path: "clientId", label: "Application (client) ID", required: true, placeholder: "6731de76-14a6-49ae-97bc-6eba6914391e" },
      secret("Client secret (Value)", t("Secret?"), { isSet: resource.hasClientSecret }),
      { path: "issuer", kind: "tenant", label: "Tenant", hint: t("Tenant?") },
    ],
    advanced: ["requireNonce", "keepRefreshToken", "additionalClientIds", "trustedAudiences", "allowedParameters"],
  },
};
