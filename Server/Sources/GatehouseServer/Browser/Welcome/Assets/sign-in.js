// The sign-in in a browser, as in docs/guides/browser-sign-in.md: to the provider through the
// server's handler, and back with a link that only this tab can redeem.

import { call, noteVisit, Refusal } from "./calls.js";
import { data, home } from "./data.js";

const PLACE = "gatehouse.pending";
const HANDLER = "/__/auth/handler";
const CALLBACK = "/__/auth/callback";

/**
 * Sends the browser to the provider. It returns to this page, where `arrival` finds `purpose`.
 *
 * @param purpose `{kind, step, …}`: what the sign-in is for.
 */
export async function begin(provider, purpose) {
  if (!crypto.subtle) throw new Refusal("INSECURE_CONTEXT");
  const sessionID = random(32);
  const eventID = random(16);
  sessionStorage.setItem(PLACE, JSON.stringify({ ...purpose, provider, sessionID, eventID }));
  const parameters = {
    apiKey: data.apiKey, authType: "signInWithRedirect", providerId: provider,
    sessionId: await sha256(sessionID), eventId: eventID, redirectUrl: location.origin + home,
    hl: data.language,
  };
  noteVisit(purpose.step, HANDLER, parameters);
  location.assign(`${HANDLER}?${new URLSearchParams(parameters)}`);
  // Nothing else happens on this page, because the browser is leaving it.
  await new Promise(() => {});
}

/**
 * The result, if the browser just returned from a provider: `{purpose, link}`. It is removed from
 * the URL at once.
 *
 * @throws Refusal for an answer that this tab didn't ask for, or an error from the handler.
 */
export function arrival() {
  const came = new URLSearchParams(location.search).get("deep_link_id");
  if (came === null) return null;
  history.replaceState(null, "", home);
  const purpose = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  sessionStorage.removeItem(PLACE);
  const link = URL.canParse(came) ? new URL(came) : null;
  const isOurs = link?.origin === location.origin && link.pathname === CALLBACK;
  if (!purpose || !isOurs || link.searchParams.get("eventId") !== purpose.eventID) {
    throw new Refusal("NOT_ASKED_FOR");
  }
  noteVisit(purpose.step, CALLBACK, Object.fromEntries(link.searchParams));
  const failure = link.searchParams.get("firebaseError");
  if (failure) {
    const { code, message } = JSON.parse(failure);
    throw Object.assign(new Refusal(code), { detail: message, purpose });
  }
  return { purpose, link: link.searchParams.get("link") };
}

/**
 * Redeems the link.
 *
 * @param more `idToken` to link, `autoCreate: false` to re-authenticate.
 */
export function redeem({ purpose, link }, more = {}) {
  return call(purpose.step, "/v1/accounts:signInWithIdp", {
    requestUri: link, sessionId: purpose.sessionID, postBody: `providerId=${purpose.provider}`,
    returnSecureToken: true, returnIdpCredential: true, ...more,
  });
}

function random(bytes) { return hex(crypto.getRandomValues(new Uint8Array(bytes))); }

async function sha256(text) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
