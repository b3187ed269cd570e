// Deletes an account as the App Store's rules require (App Review Guidelines 5.1.1(v); Apple,
// TN3194): the user re-authenticates, Apple's tokens are revoked, then the account is deleted.

import { idToken } from "./account.js";
import { call } from "./calls.js";
import { data, providerName, text } from "./data.js";
import { button, element, fill, show } from "./elements.js";
import { confirmDeletion } from "./questions.js";
import { claims, keep, session } from "./session.js";
import { begin, redeem } from "./sign-in.js";

const APPLE = "apple.com";
const STEP = "deletion";
const PLACE = "gatehouse.deletion";
const ORDER = ["proof", "revoke", "delete", "gone", "here"];

let states = JSON.parse(sessionStorage.getItem(PLACE) ?? "{}");

/** `waiting`, `now`, `done`, `unneeded` or `failed`. */
function mark(step, state, detail = "") {
  states[step] = { state, detail };
  sessionStorage.setItem(PLACE, JSON.stringify(states));
  showDeletion();
}

export function showDeletion() {
  document.documentElement.toggleAttribute("data-deletion", Object.keys(states).length > 0);
  fill("deletion-steps", ...ORDER.map((step) => {
    const { state, detail } = states[step] ?? { state: "waiting", detail: "" };
    return element(
      "li", { "data-state": state, id: `deletion-${step}` },
      element("span", { class: "mark", "aria-hidden": "true" }),
      element(
        "div", {}, element("strong", {}, text(`deletion.${step}`)), " ",
        element("span", { class: "state" }, text(`state.${state}`)),
        element("small", {}, detail || text(`deletion.${step}.why`))));
  }));
}

/** The step that was in progress when the user cancelled. */
export function settleDeletion() {
  for (const [step, { state }] of Object.entries(states)) {
    if (state === "now") mark(step, "failed", text("deletion.stopped"));
  }
}

export function forgetDeletion() {
  states = {};
  sessionStorage.removeItem(PLACE);
  showDeletion();
}

/** The first half: asks for confirmation, and lets the user re-authenticate if that is needed. */
export async function beginDeletion(finished) {
  if (!await confirmDeletion()) return;
  forgetDeletion();
  const linked = (session().user.providerUserInfo ?? []).map((one) => one.providerId)
    .filter((id) => data.providers.some((provider) => provider.id === id));
  const age = Date.now() / 1000 - claims(session().idToken).auth_time;
  // Apple's sheet returns the token that is revoked, so it is shown even if the sign-in is recent.
  const prover = linked.includes(APPLE) ? APPLE : age > data.recentSignInSeconds ? linked[0] : null;
  if (prover) {
    mark("proof", "now", text("deletion.proof.with", { provider: providerName(prover) }));
    await begin(prover, { kind: "delete", step: STEP });
  }
  mark("proof", "unneeded", text("deletion.proof.recent"));
  mark("revoke", "unneeded", text("deletion.revoke.none"));
  await remove(finished);
}

/** The second half: the user returned from the provider. */
export async function continueDeletion(came, finished) {
  const answer = await attempt("proof", () => redeem(came, { autoCreate: false }));
  if (answer.localId !== session().user.localId) {
    mark("proof", "failed", text("remedy.USER_MISMATCH"));
    return;
  }
  keep(answer);
  if (came.purpose.provider !== APPLE) {
    mark("revoke", "unneeded", text("deletion.revoke.none"));
    return remove(finished);
  }
  try {
    await attempt("revoke", () => call(STEP, "/v2/accounts:revokeToken", {
      providerId: APPLE, tokenType: "ACCESS_TOKEN", token: answer.oauthAccessToken,
      idToken: answer.idToken,
    }));
  } catch (error) {
    offerWithoutRevocation(finished);
    throw error;
  }
  await remove(finished);
}

/** Apple can't be reached, or its key isn't configured: the user may delete the account anyway. */
function offerWithoutRevocation(finished) {
  const anyway = button("delete-anyway", text("deletion.anyway"), async () => {
    fill("deletion-more");
    await remove(finished);
  });
  fill("deletion-more", anyway);
  show("deletion-more");
}

async function remove(finished) {
  const token = await idToken(STEP);
  await attempt("delete", () => call(STEP, "/v1/accounts:delete", { idToken: token }));
  mark("gone", "now");
  // Sent to show that the server refuses the old token.
  const refusal = await call(STEP, "/v1/accounts:lookup", { idToken: token })
    .then(() => null, (error) => error.code);
  mark("gone", refusal ? "done" : "failed", refusal ?? "");
  mark("here", "done");
  finished();
}

async function attempt(step, action) {
  mark(step, "now");
  try {
    const answer = await action();
    mark(step, "done");
    return answer;
  } catch (error) {
    mark(step, "failed", error.message);
    throw error;
  }
}
