// The calls to the server, and the list of them that each step shows.

import { data, text } from "./data.js";
import { byID, element } from "./elements.js";

const PLACE = "gatehouse.calls";
const MAXIMUM = 40;

let calls = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");

/** A refusal of the server: `CODE : detail`. */
export class Refusal extends Error {
  constructor(message, answer) {
    super(message);
    const [code, ...detail] = message.split(" : ");
    this.code = code;
    this.detail = detail.join(" : ");
    this.answer = answer;
  }
}

/**
 * POSTs JSON, as an app does, and returns the answer's JSON.
 *
 * @param step The step of the page that shows the call.
 */
export async function call(step, path, body) {
  return exchange(step, path, body, {
    headers: { "content-type": "application/json", "x-firebase-locale": data.language },
    body: JSON.stringify(body),
  });
}

/** The token endpoint takes a form, as in OAuth 2.0 (RFC 6749 §6). */
export async function callForm(step, path, fields) {
  return exchange(step, path, fields, { body: new URLSearchParams(fields) });
}

/** A `fetch` for a module that sends calls of its own. */
export const fetchFor = (step) => async (url, options) => {
  const response = await fetch(url, { credentials: "omit", ...options });
  const { method, body } = options;
  const answer = await response.clone().json();
  note(step, { method, path: url.pathname, request: JSON.parse(body), status: response.status, answer });
  return response;
};

async function exchange(step, path, shown, options) {
  let response, answer;
  try {
    response = await fetch(`${path}?key=${encodeURIComponent(data.apiKey)}`, {
      method: "POST", credentials: "omit", ...options,
    });
    answer = await response.json();
  } catch (error) {
    note(step, { method: "POST", path, request: shown, status: text("calls.none") });
    throw new Refusal(`NETWORK : ${error.message}`);
  }
  note(step, { method: "POST", path, request: shown, status: response.status, answer });
  if (!response.ok) throw new Refusal(answer?.error?.message ?? `HTTP ${response.status}`, answer);
  return answer;
}

/** A step in which the browser navigates to another page. */
export function noteVisit(step, path, parameters) {
  note(step, { method: "GET", path, request: parameters, status: text("calls.visit") });
}

function note(step, entry) {
  const kept = { step, ...entry, request: shortened(entry.request), answer: shortened(entry.answer) };
  calls = [...calls, kept].slice(-MAXIMUM);
  sessionStorage.setItem(PLACE, JSON.stringify(calls));
  showCalls(step);
}

/** Shortens tokens: a few characters are enough to distinguish two of them. */
function shortened(value) {
  if (Array.isArray(value)) return value.map(shortened);
  if (value && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
  }
  if (typeof value !== "string" || value.length <= 72 || value.startsWith("{")) return value;
  return `${value.slice(0, 28)}…${value.slice(-8)}`;
}

function showCalls(step) {
  const list = byID(`calls-${step}`);
  if (!list) return;
  const own = calls.filter((entry) => entry.step === step).slice(-6);
  list.replaceChildren(...own.map(item));
  list.parentElement.hidden = own.length === 0;
}

function item({ method, path, request, status, answer }) {
  const kind = status === 200 ? "good" : typeof status === "number" ? "bad" : "quiet";
  return element(
    "li", {},
    element(
      "details", {},
      element(
        "summary", {},
        element("span", { class: "method" }, method), " ", element("code", {}, path), " ",
        element("span", { class: `code ${kind}` }, String(status))),
      element("p", { class: "label" }, text("calls.request")), json(request),
      ...(answer ? [element("p", { class: "label" }, text("calls.answer")), json(answer)] : [])));
}

const json = (value) =>
  element("pre", { tabindex: "0" }, element("code", {}, JSON.stringify(value, null, 2)));

export function showAllCalls() {
  for (const list of document.querySelectorAll(".calls")) showCalls(list.id.slice("calls-".length));
}

export function forgetCalls() {
  calls = [];
  sessionStorage.removeItem(PLACE);
  showAllCalls();
}
