// Users with an email address and a password, and the emails to them.

import { idToken } from "./account.js";
import { attempting, enter } from "./actions.js";
import { call } from "./calls.js";
import { home, text } from "./data.js";
import { announce, byID, show } from "./elements.js";
import { session } from "./session.js";

export function connectEmail() {
  const actions = {
    "sign-up-password": signUp, "sign-in-password": signIn, "reset-password": reset, "verify-email": verify,
    "reset-own-password": reset,
  };
  for (const [id, action] of Object.entries(actions)) {
    byID(id).addEventListener("click", (event) => {
      event.preventDefault();
      action();
    });
  }
}

const typed = () => ({ email: byID("email").value, password: byID("password").value });

const signUp = attempting(async () => {
  const answer = await call("email", "/v1/accounts:signUp", { ...typed(), returnSecureToken: true });
  await enterTyped(answer, "said.signedUp");
});

const signIn = attempting(async () => {
  const answer = await call(
    "email", "/v1/accounts:signInWithPassword", { ...typed(), returnSecureToken: true });
  await enterTyped(answer, "said.signedIn");
});

async function enterTyped(answer, line) {
  byID("password").value = "";
  await enter(answer, text(line, { provider: text("password") }));
}

const reset = attempting(() => send(
  { requestType: "PASSWORD_RESET", email: session()?.user.email ?? byID("email").value }));

const verify = attempting(async () => send(
  { requestType: "VERIFY_EMAIL", idToken: await idToken("email") }));

/** The last page of the email's link leads back here. */
async function send(request) {
  const { email } = await call(
    "email", "/v1/accounts:sendOobCode", { ...request, continueUrl: location.origin + home });
  show("mail-waits");
  announce(text("said.mailed", { email }));
}
