// The start of the page: the session that this tab kept, and the result that the browser came back
// with.

import { hideAccount, mark, showAccount, showTime } from "./account.js";
import {
  attempt, createWithPasskey, deleteAccount, enterWithPasskey, finish, leave, newPasskey, refreshToken, setPassword,
  signIn, signInAnonymously, signOut,
} from "./actions.js";
import { showAllCalls } from "./calls.js";
import { data, text } from "./data.js";
import { settleDeletion, showDeletion } from "./deletion.js";
import { button, byID, element, fill, hideProblem, show } from "./elements.js";
import { connectEmail } from "./email.js";
import { offersPasskeys, passkeyPage } from "./passkey.js";
import { session } from "./session.js";
import { arrival } from "./sign-in.js";

const CODE = "gatehouse.code";
const GONE = ["USER_NOT_FOUND", "USER_DISABLED", "INVALID_ID_TOKEN", "TOKEN_EXPIRED", "INVALID_REFRESH_TOKEN"];

function showProviders() {
  const ways = data.providers.map(({ id, name }) => element(
    "li", {}, button(
      `sign-in-${id.replaceAll(".", "-")}`, text("sign-in.with", { provider: name }),
      () => signIn(id), { class: "way" })));
  for (const [at, { id }] of data.providers.entries()) ways[at].firstChild.prepend(mark(id));
  const nobody = button("sign-in-anonymous", text("sign-in.anonymous"), signInAnonymously, { class: "way plain" });
  fill("sign-in-ways", ...ways, element("li", {}, nobody));
}

function showServer() {
  byID("server-url").textContent = location.origin;
  byID("server-key").textContent = data.apiKey;
  byID("server-project").textContent = data.project;
  if (!data.simulator) return;
  byID("simulator-link").href = data.simulator;
  show("simulator");
}

/** A browser uses passkeys only on their domain. */
function showPasskeyStep() {
  show("step-passkey", Boolean(data.passkeyDomain));
  show("passkey-actions", offersPasskeys);
  show("passkey-elsewhere", !offersPasskeys);
  byID("passkey-link").href = passkeyPage ?? "";
  byID("passkey-link").textContent = passkeyPage ?? data.passkeyDomain;
}

/** The programming language of the code next to the steps. */
function showCode(language) {
  document.documentElement.dataset.code = language;
  sessionStorage.setItem(CODE, language);
  for (const one of ["swift", "javascript"]) {
    byID(`code-${one}`).setAttribute("aria-pressed", String(one === language));
  }
}

function connectButtons() {
  for (const one of ["swift", "javascript"]) {
    byID(`code-${one}`).addEventListener("click", () => showCode(one));
  }
  const actions = {
    "sign-out": signOut, "refresh-token": refreshToken, "set-password": setPassword,
    "delete-account": deleteAccount, "problem-close": hideProblem, "passkey-sign-in": enterWithPasskey,
    "passkey-sign-up": createWithPasskey, "passkey-add": newPasskey,
  };
  for (const [id, action] of Object.entries(actions)) byID(id).addEventListener("click", action);
  connectEmail();
  // Going back from a provider's page restores this page in the middle of an action: reload it.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  setInterval(showTime, 1000);
}

async function start() {
  showCode(sessionStorage.getItem(CODE) ?? "swift");
  showServer();
  showProviders();
  showPasskeyStep();
  showAllCalls();
  showDeletion();
  connectButtons();
  hideAccount();
  // Removes the result from the URL before any call is sent.
  const came = await arrived();
  if (!came) settleDeletion();
  if (session()) await restore();
  if (came) await attempt(() => finish(came));
  document.documentElement.dataset.ready = "true";
}

async function arrived() {
  let came = null;
  await attempt(async () => { came = arrival(); });
  return came;
}

/** This tab has a session from before. */
async function restore() {
  try {
    await showAccount();
  } catch (error) {
    if (GONE.includes(error.code)) leave(text("said.over"))();
    else throw error;
  }
}

await attempt(start);
