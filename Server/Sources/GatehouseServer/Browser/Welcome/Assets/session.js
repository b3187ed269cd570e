// The session in this tab: tokens in sessionStorage, which are removed when the tab closes.

const PLACE = "gatehouse.session";

let current = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");

export const session = () => current;

/** Stores the tokens of an answer; values that the answer lacks are kept. */
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
 * The claims of a token, decoded but not verified, to show them. A back end has to verify them.
 */
export function claims(token) {
  const payload = token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
