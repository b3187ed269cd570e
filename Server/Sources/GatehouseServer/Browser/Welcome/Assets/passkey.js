// Passkeys, with the module that the server has for every page.

import { Passkeys } from "/__/auth/passkeys.js";
import { fetchFor } from "./calls.js";
import { data } from "./data.js";

/** Browsers use a passkey only on its own domain and below. */
const isOnDomain = data.passkeyDomain === location.hostname
  || location.hostname.endsWith(`.${data.passkeyDomain}`);

export const offersPasskeys = Boolean(data.passkeyDomain) && isOnDomain && Passkeys.isSupported;

/** Where this page can use them, if it can't here. */
export const passkeyPage = data.passkeyDomain && !isOnDomain
  ? `${location.protocol}//${data.passkeyDomain}${location.port ? `:${location.port}` : ""}/` : null;

/** What the passkey is called in the account's list. */
const name = navigator.userAgentData?.platform || "Passkey";

const passkeys = (step) => new Passkeys({ apiKey: data.apiKey, fetch: fetchFor(step) });

/** The browser's errors have a name instead of a code. */
async function named(action) {
  try {
    return await action;
  } catch (error) {
    throw error instanceof DOMException
      ? Object.assign(new Error(error.message), { code: error.name }) : error;
  }
}

export const signInWithPasskey = (step, options) => named(passkeys(step).signIn(options));
export const signUpWithPasskey = (step) => named(passkeys(step).signUp({ name }));
export const addPasskey = (step, user) => named(passkeys(step).add({ ...user, name }));
export const showPasskey = (step, mfaPendingCredential) =>
  named(passkeys(step).secondFactor({ mfaPendingCredential }));
export const keepPasskeys = (step, passkeyInfo) => passkeys(step).signalAccepted(passkeyInfo);
