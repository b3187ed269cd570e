// The administrators' API, as the one who uses the console may use it.

import { askAgain, proof, Refusal, refusalOf, root } from "./console-session.js";

export { Refusal, root };

const ROLES = ["viewer", "support", "administrator", "owner"];

const state = { session: { mode: "signedOut" }, project: "", signedOut: () => {} };

/** @param signedOut Called when the server no longer knows the session. */
export function begin(session, signedOut) { Object.assign(state, { session, signedOut }); }
export function enter(project) { state.project = project; }

export function session() { return state.session; }
export function mode() { return state.session.mode; }
export function project() { return state.project; }
export function role() { return mode() === "development" ? "owner" : state.session.user?.role ?? "viewer"; }
export function may(wanted) { return ROLES.indexOf(role()) >= ROLES.indexOf(wanted); }
/** Whether this is an owner of all projects, who may use what is below `/v2/server`. */
export function mayServer() { return may("owner") && !state.session.user?.project; }

/**
 * @param options.keepsRefusals The answer is returned whatever its status.
 * @param options.asApp Without the reader's credential, as an app with an API key in `query`.
 */
async function send(method, path, { body, headers = {}, query = {}, keepsRefusals = false, asApp = false } = {}) {
  const url = new URL(path.slice(1), root);
  // A name such as `..`, or none, would be a request about something else.
  if (url.pathname !== root.pathname + path.slice(1) || path.includes("//")) throw new Refusal(404, "NOT_FOUND");
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== "") url.searchParams.append(name, one);
    }
  }
  const isJSON = body !== undefined && !(body instanceof Blob) && typeof body !== "string";
  const credential = asApp ? {} : mode() === "development"
    ? { authorization: "Bearer owner" }
    : { dpop: await proof(method, url) };
  const response = await fetch(url, {
    method,
    body: isJSON ? JSON.stringify(body) : body,
    headers: { ...(isJSON && { "content-type": "application/json" }), ...credential, ...headers },
    credentials: "same-origin",
    cache: "no-store",
  }).catch(() => { throw new Refusal(0, "SERVER_UNREACHABLE"); });
  if (response.ok || keepsRefusals) return response;
  throw await refusalOf(response);
}

async function raw(method, path, options) {
  try {
    return await send(method, path, options);
  } catch (error) {
    if (mode() === "signedIn" && error.status === 401 && !options?.asApp) state.signedOut();
    if (error.code !== "CREDENTIAL_TOO_OLD_LOGIN_AGAIN") throw error;
    await askAgain();
    return send(method, path, options);
  }
}

async function json(method, path, options) {
  const text = await (await raw(method, path, options)).text();
  return text ? JSON.parse(text) : {};
}

export const api = {
  raw,
  get: (path, query) => json("GET", path, { query }),
  post: (path, body = {}, query) => json("POST", path, { body, query }),
  patch: (path, body, query) => json("PATCH", path, { body, query }),
  delete: (path, query) => json("DELETE", path, { query }),
};

/** The pages of a list, each an array of `member`. */
export async function* pages(path, member, query = {}) {
  let pageToken = query.pageToken;
  do {
    const page = await api.get(path, { ...query, pageToken });
    yield page[member] ?? [];
    pageToken = page.nextPageToken;
  } while (pageToken);
}
