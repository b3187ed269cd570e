// What is known about the signed-in user: the account, its providers, and the ID token.

import { call, callForm } from "./calls.js";
import { data, date, minutes, providerName, text } from "./data.js";
import { button, byID, element, fill, show } from "./elements.js";
import { offersPasskeys } from "./passkey.js";
import { claims, keep, session } from "./session.js";

let actions;

/**
 * The actions of the buttons: `{link, unlink, prove}` are called with a provider's id, `proveWithPasskey` with
 * nothing, and `removePasskey` with an entry of `passkeyInfo`.
 */
export function connect(given) { actions = given; }

/** An ID token that is still valid for a while; refreshed first if it isn't. */
export async function idToken(step) {
  if (claims(session().idToken).exp * 1000 < Date.now() + 10_000) await refresh(step);
  return session().idToken;
}

export async function refresh(step) {
  keep(await callForm(step, "/v1/token", {
    grant_type: "refresh_token", refresh_token: session().refreshToken,
  }));
}

/** Asks the server for the account, and shows it. */
export async function showAccount(step = "account") {
  const token = await idToken(step);
  const { users: [user] } = await call(step, "/v1/accounts:lookup", { idToken: token });
  keep({}, { user });
  document.documentElement.dataset.signed = "in";
  showPerson(user);
  showProviders(user);
  showPasskeys(user);
  showToken();
}

export function hideAccount() { document.documentElement.dataset.signed = "out"; }

function showPerson(user) {
  const name = user.displayName || user.email || text("account.anonymous");
  byID("person-name").textContent = name;
  showPhoto(user.photoUrl, name);
  fill("person-email", ...(user.email ? [user.email, " ", ...badges(user)] : [text("account.noEmail")]));
  show("verify-email", Boolean(user.email) && !user.emailVerified);
  show("reset-own-password", Boolean(user.email) && Boolean(user.passwordHash));
  const times = [["account.created", user.createdAt], ["account.lastSignIn", user.lastLoginAt]];
  fill(
    "person-facts", ...row(text("account.uid"), element("code", { id: "person-uid" }, user.localId)),
    ...times.filter(([, at]) => at).flatMap(([name, at]) => row(text(name), date(Number(at)))));
}

function badges(user) {
  const isRelay = session().relays?.includes(user.email);
  const verified = user.emailVerified ? "verified" : "unverified";
  return [verified, ...(isRelay ? ["relay"] : [])].map((name) =>
    element("span", { class: `badge ${name}`, title: text(`badge.${name}.why`) }, text(`badge.${name}`)));
}

function showPhoto(url, name) {
  const initials = element("span", { "aria-hidden": "true" }, Array.from(name)[0].toUpperCase());
  fill("person-photo", initials);
  if (!url) return;
  const image = element("img", { alt: "", referrerpolicy: "no-referrer", src: url });
  // The initial stays until the picture is loaded, and if it can't be loaded.
  image.addEventListener("load", () => fill("person-photo", image));
}

const row = (name, value) => [element("dt", {}, name), element("dd", {}, value)];

const idOf = (provider) => provider.replaceAll(".", "-");

function showProviders(user) {
  const linked = user.providerUserInfo ?? [];
  const rows = linked.map((identity) => way(
    identity.providerId, identity.email ?? identity.rawId,
    button(`unlink-${idOf(identity.providerId)}`, text("providers.unlink"),
      () => actions.unlink(identity.providerId),
      { "aria-label": text("providers.unlink.of", { provider: providerName(identity.providerId) }) })));
  const others = data.providers.filter(({ id }) => !linked.some((one) => one.providerId === id));
  const offers = others.map(({ id, name }) => way(
    id, text("providers.none"),
    button(`link-${idOf(id)}`, text("providers.link"), () => actions.link(id),
      { "aria-label": text("providers.link.of", { provider: name }) })));
  fill("ways", ...rows, ...offers);
  showProofs(linked, user);
}

function showPasskeys({ passkeyInfo = [] }) {
  fill("passkeys", ...passkeyInfo.map((passkey, at) => element(
    "li", {}, element("span", { class: "mark", "aria-hidden": "true" }, "⚿"),
    element(
      "div", {}, element("strong", {}, passkey.name),
      element("small", {}, date(Number(passkey.lastUsedAt ?? passkey.createdAt)))),
    button(`remove-passkey-${at}`, text("passkey.remove"), () => actions.removePasskey(passkey),
      { "aria-label": text("passkey.remove.of", { name: passkey.name }) }))));
}

function way(id, detail, action) {
  return element(
    "li", { "data-provider": id }, mark(id),
    element("div", {}, element("strong", {}, providerName(id)), element("small", {}, detail)), action);
}

export function mark(id) {
  return element(
    "span", { class: "mark", "data-provider": id, "aria-hidden": "true" },
    Array.from(providerName(id))[0].toUpperCase());
}

/** A new sign-in with any provider or passkey of the account re-authenticates the user. */
function showProofs(linked, { passkeyInfo = [] }) {
  const known = linked.filter((one) => data.providers.some(({ id }) => id === one.providerId));
  const buttons = known.map(({ providerId: id }) =>
    button(`prove-${idOf(id)}`, text("recent.prove", { provider: providerName(id) }),
      () => actions.prove(id)));
  if (passkeyInfo.length && offersPasskeys) {
    buttons.push(button(
      "prove-passkey", text("recent.prove", { provider: text("passkey.one") }),
      () => actions.proveWithPasskey()));
  }
  fill("proofs", ...(buttons.length ? buttons : [element("p", { class: "quiet" }, text("recent.none"))]));
}

/** Shows the token's claims; those that differ from `before` are marked. */
export function showToken(before) {
  const now = claims(session().idToken);
  fill("claims", ...Object.entries(now).map(([name, value]) => {
    const isChanged = before && JSON.stringify(before[name]) !== JSON.stringify(value);
    const time = ["iat", "exp", "auth_time"].includes(name) ? date(value * 1000) : undefined;
    const meaning = data.texts[`claim.${name}`];
    return element(
      "tr", { class: isChanged ? "changed" : undefined },
      element("th", { scope: "row" }, name),
      element(
        "td", {}, element("code", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2)),
        ...(time ? [element("small", {}, time)] : []),
        ...(meaning ? [element("small", {}, meaning)] : [])));
  }));
  showTime();
}

/** How long the token is still valid, and the sign-in still recent. */
export function showTime() {
  if (!session()) return;
  const { exp, iat, auth_time: authTime } = claims(session().idToken);
  const now = Date.now() / 1000;
  const left = exp - now;
  byID("token-left").textContent = left > 0 ? minutes(left) : text("token.over");
  byID("token-meter").max = exp - iat;
  byID("token-meter").value = Math.max(0, left);
  const recent = authTime + data.recentSignInSeconds - now;
  byID("auth-time").textContent = date(authTime * 1000);
  byID("recent-left").textContent =
    recent > 0 ? text("recent.left", { left: minutes(recent) }) : text("recent.over");
  byID("recent-left").className = recent > 0 ? "good" : "bad";
}
