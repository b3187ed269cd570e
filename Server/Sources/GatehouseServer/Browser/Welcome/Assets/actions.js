// The actions of the page's buttons.

import { connect, hideAccount, idToken, refresh, showAccount, showToken } from "./account.js";
import { call, forgetCalls } from "./calls.js";
import { providerName, text } from "./data.js";
import { beginDeletion, continueDeletion, forgetDeletion } from "./deletion.js";
import { announce, byID, complain, hideProblem } from "./elements.js";
import { ask, askAboutConflict, askToConfirm, hide, resume } from "./questions.js";
import { addPasskey, keepPasskeys, offersPasskeys, signInWithPasskey, signUpWithPasskey } from "./passkey.js";
import { withSecondFactor } from "./second-factor.js";
import { claims, forget, keep, session } from "./session.js";
import { begin, redeem } from "./sign-in.js";

/** Runs the action, and shows a refusal with its remedy. */
export async function attempt(action) {
  hideProblem();
  try {
    await action();
  } catch (error) {
    complain(error);
  }
}

export const attempting = (action) => (...values) => attempt(() => action(...values));

export const signIn = attempting((provider) => begin(provider, { kind: "sign-in", step: "sign-in" }));

export const signInAnonymously = attempting(async () => {
  const answer = await call("sign-in", "/v1/accounts:signUp", { returnSecureToken: true });
  await enter(answer, text("said.anonymous"));
});

const PASSKEY_STEP = "passkey";

export const enterWithPasskey = attempting(async () => enter(
  await signInWithPasskey(PASSKEY_STEP), text("said.signedIn", { provider: text("passkey.one") })));

export const createWithPasskey = attempting(async () => enter(
  await signUpWithPasskey(PASSKEY_STEP), text("said.new", { provider: text("passkey.one") })));

export const newPasskey = attempting(async () => {
  keep(await withSecondFactor(await addPasskey(PASSKEY_STEP, { idToken: await idToken(PASSKEY_STEP) })));
  await showAccount(PASSKEY_STEP);
  announce(text("said.passkeyAdded"), PASSKEY_STEP);
});

const removePasskey = attempting(async ({ credentialId }) => {
  keep(await call(PASSKEY_STEP, "/v1/accounts:update", {
    idToken: await idToken(PASSKEY_STEP), deletePasskey: [credentialId], returnSecureToken: true,
  }));
  await showAccount(PASSKEY_STEP);
  const left = session().user.passkeyInfo ?? [];
  if (left.length && offersPasskeys) await keepPasskeys(PASSKEY_STEP, left);
  announce(text("said.passkeyRemoved"));
});

/** The browser returned from a provider. */
export async function finish(came) {
  const { kind, step, pendingToken, provider } = came.purpose;
  if (kind === "delete") return continueDeletion(came, leave(text("said.deleted")));
  if (kind === "link") return linked(await redeem(came, { idToken: await idToken(step) }));
  if (kind === "prove") return proved(came, await redeem(came, { autoCreate: false }));
  const answer = await redeem(came);
  if (answer.needConfirmation) return askToConfirm(answer);
  await enter(answer, text(answer.isNewUser ? "said.new" : "said.signedIn",
    { provider: providerName(provider) }));
  // The sign-in that was postponed until the user signed in to the existing account.
  if (pendingToken) await linked(await resume(step, pendingToken, { idToken: session().idToken }));
}

/** Signed in: stores the tokens and shows the account. */
export async function enter(came, line) {
  const answer = await withSecondFactor(came);
  forgetDeletion();
  keep(answer, { relays: relays(answer) });
  await showAccount();
  announce(line, "account");
}

/** Apple's claim says whether an address is a private relay address. The domain alone doesn't. */
function relays(answer) {
  const profile = JSON.parse(answer.rawUserInfo ?? "{}");
  const isRelay = String(profile.is_private_email) === "true" && profile.email;
  return [...(session()?.relays ?? []), ...(isRelay ? [profile.email] : [])];
}

async function linked(came) {
  const answer = await withSecondFactor(came);
  if (answer.errorMessage) return askAboutConflict(answer, { enter: enterOther, agree });
  keep(answer, { relays: relays(answer) });
  await showAccount("providers");
  announce(text("said.linked", { provider: providerName(answer.providerId) }), "providers");
}

const enterOther = attempting(async (pendingToken) => {
  const answer = await resume("providers", pendingToken);
  if (answer.needConfirmation) return askToConfirm(answer);
  await enter(answer, text("said.switched"));
});

const agree = attempting(async (pendingToken, joins) => linked(
  await resume("providers", pendingToken, {
    idToken: await idToken("providers"), consent: { version: "welcome-1", joins },
  })));

const link = attempting((provider) => begin(provider, { kind: "link", step: "providers" }));

const unlink = attempting(async (provider) => {
  keep(await call("providers", "/v1/accounts:update", {
    idToken: await idToken("providers"), deleteProvider: [provider], returnSecureToken: true,
  }));
  await showAccount("providers");
  announce(text("said.unlinked", { provider: providerName(provider) }));
});

const prove = attempting((provider) => begin(provider, { kind: "prove", step: "recent" }));

/** `then`: as in `proved`. */
const proveWithPasskey = attempting(async (then) => proved(
  { purpose: { then } }, await signInWithPasskey("recent", { idToken: await idToken("recent") })));

connect({ link, unlink, prove, proveWithPasskey, removePasskey });

async function proved({ purpose }, came) {
  const answer = await withSecondFactor(came);
  if (answer.localId !== session().user.localId) {
    throw Object.assign(new Error(text("remedy.USER_MISMATCH")), { code: "USER_MISMATCH" });
  }
  keep(answer);
  await showAccount();
  announce(text("said.proved"), "recent");
  if (purpose.then === "password") await changePassword();
}

export const refreshToken = attempting(async () => {
  const before = claims(session().idToken);
  await refresh("token");
  showToken(before);
  announce(text("said.refreshed"));
});

export const setPassword = attempting(changePassword);

/** A sensitive change: refused if the sign-in is more than a few minutes old. */
async function changePassword() {
  const password = crypto.randomUUID();
  try {
    keep(await call("recent", "/v1/accounts:update", {
      idToken: await idToken("recent"), password, returnSecureToken: true,
    }));
  } catch (error) {
    if (error.code !== "CREDENTIAL_TOO_OLD_LOGIN_AGAIN") throw error;
    return askToProve(error);
  }
  await showAccount();
  announce(text("said.password"));
}

function askToProve(error) {
  const ways = [...byID("proofs").querySelectorAll("button")]
    .map((one) => one.id.slice("prove-".length));
  const ids = (session().user.providerUserInfo ?? []).map((one) => one.providerId)
    .filter((id) => ways.includes(id.replaceAll(".", "-")));
  const choices = ids.map((id) => [
    `again-${id.replaceAll(".", "-")}`, text("recent.prove", { provider: providerName(id) }),
    () => begin(id, { kind: "prove", step: "recent", then: "password" }),
  ]);
  if (ways.includes("passkey")) {
    choices.push([
      "again-passkey", text("recent.prove", { provider: text("passkey.one") }),
      () => proveWithPasskey("password"),
    ]);
  }
  ask(error.code, text(`remedy.${error.code}`), choices);
}

export const deleteAccount = attempting(() => beginDeletion(leave(text("said.deleted"))));

export function signOut() {
  forgetDeletion();
  forgetCalls();
  leave(text("said.signedOut"))();
}

/** Signs out. Sends no request: the tokens are deleted. */
export function leave(line) {
  return () => {
    forget();
    hide();
    hideProblem();
    hideAccount();
    announce(line, document.documentElement.hasAttribute("data-deletion") ? "deletion" : "sign-in");
  };
}
