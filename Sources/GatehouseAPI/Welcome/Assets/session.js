// Who is signed in here: tokens in this tab's sessionStorage, gone when the tab closes.

const PLACE = "gatehouse.session";

let current = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");

export const session = () => current;

/** Keeps the tokens of an answer; what the answer doesn't say stays as it was. */
export function keep(answer, more = {}) {
  current = {
    ...current, ...more,
    idToken: answer.idToken ?? answer.id_token ?? current?.idToken,
    refreshToken: answer.refreshToken ?? answer.refresh_token ?? current?.refreshToken,
  };
  sessionStorage.setItem(PLACE, JSON.stringify(current));
}

export function forget() {
  current = null;
  sessionStorage.removeItem(PLACE);
}

/**
 * The claims of a token, decoded and not verified: enough to show them. A back end verifies.
 */
export function claims(token) {
  const payload = token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
